document.body.classList.add("set-by-script");
