"""The faces of edukit in Sphinx: one module per feature, each an extension of its own."""
