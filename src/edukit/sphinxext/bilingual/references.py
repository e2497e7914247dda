"""What refers and what is referred to in a text, and how its translation takes that over."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from docutils import nodes
from sphinx import addnodes


class Exchange:
    """Hands over what the document knows of a text's references to those of its translation."""

    def __init__(self, document: nodes.document, complain: Callable[[str, str], None] | None) -> None:
        self.document = document
        self.complain = complain  # says of a kind of references how they differ; None when they may

    def run(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Hand over all there is."""
        self.ids(old, new)
        self.footnotes(old, new)
        self.references(old, new)
        self.citations(old, new)
        self.cross_references(old, new)

    def compare(
        self, old: list[Any], new: list[Any], key: Callable[[nodes.Element], str], *, kind: str
    ) -> None:
        """Warn when a translation refers to other things than the source; their order is free."""
        before, after = Counter(map(key, old)), Counter(map(key, new))
        if before == after or self.complain is None:
            return
        written = {key(node): node.rawsource or key(node) for node in [*new, *old]}
        differences = [
            f"{word} {', '.join(written[name] for name in found.elements())}"
            for word, found in [("it lacks", before - after), ("it adds", after - before)]
            if found
        ]
        self.complain(kind, "; ".join(differences))

    def ids(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Give what can be referred to the ids that it has in the source."""
        after = [node for node in new if has_own_id(node)]
        if not after:
            return
        document = self.document
        before = [node for node in old if has_own_id(node)]
        former_marks, marks = marks_of(old), marks_of(new)
        free: dict[str, list[nodes.Element]] = {}
        for node in before:
            free.setdefault(former_marks(node)[0], []).append(node)
        known = [former_marks(node) for node in before]
        changed = {}
        # Those that keep their names first: a translation may order them anew.
        for node in sorted(after, key=lambda node: marks(node) not in known):
            if isinstance(node, nodes.problematic):
                # It leads to a message that stands nowhere on the page.
                node.attributes.pop("refid", None)
            former = take(free.get(marks(node)[0], []), marks(node), former_marks)
            if former is not None:
                identifiers = list(former["ids"])
            elif any(identifier in document.ids for identifier in node["ids"]):
                identifiers = [document.set_id(nodes.inline())]
            else:
                identifiers = node["ids"]
            changed.update(dict.fromkeys(node["ids"], identifiers[0]))
            node["ids"] = identifiers
            for identifier in identifiers:
                document.ids[identifier] = node
            for name in node["names"]:
                if name not in document.nameids:
                    document.nameids[name] = identifiers[0]
                    document.nametypes[name] = True
        for node in new:
            if isinstance(node, addnodes.index):
                node["entries"] = [
                    (kind, value, changed.get(target, target), *rest)
                    for kind, value, target, *rest in node["entries"]
                ]

    def footnotes(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Let the marks of footnotes stand for those of the source: numbers and ways back stay right."""
        before = [node for node in old if isinstance(node, nodes.footnote_reference)]
        after = [node for node in new if isinstance(node, nodes.footnote_reference)]
        if not before and not after:
            return
        self.compare(before, after, footnote_name, kind="footnote references")
        document = self.document
        free: dict[Any, list[nodes.footnote_reference]] = {}
        for node in before:
            free.setdefault(footnote_name(node), []).append(node)
        for node in after:
            name = node.get("refname")
            if same := free.get(footnote_name(node)):
                former = same.pop(0)
                node["ids"] = former["ids"]
                for identifier in node["ids"]:
                    document.ids[identifier] = node
                for references in footnote_lists(document, node):
                    exchange(references, former, node)
            elif name is not None and name in document.nameids:
                # The translation names a footnote of the page once more.
                node["ids"] = []
                document.set_id(node)
                document.note_footnote_ref(node)
                if node.get("auto"):
                    document.note_autofootnote_ref(node)
            else:
                # There is no such footnote; the comparison has said so.
                node.parent.remove(node)
        for node in (node for nodes_left in free.values() for node in nodes_left):
            # A way back from the footnote to a mark that is gone would lead nowhere.
            for references in footnote_lists(document, node):
                exchange(references, node, None)

    def references(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Note the references to names within the page."""
        before = [node for node in old if isinstance(node, nodes.reference) and "refname" in node]
        after = [node for node in new if isinstance(node, nodes.reference) and "refname" in node]
        if not before and not after:
            return
        document = self.document
        names = {node["refname"] for node in after}
        # A name may have been translated though nothing is called so: it means the source's.
        orphans = [node["refname"] for node in before if node["refname"] not in names]
        orphans = list(dict.fromkeys(orphans))
        for node in after:
            if node["refname"] not in document.nameids and orphans:
                node["refname"] = orphans.pop(0)
            document.note_refname(node)
        self.compare(before, after, self.meant, kind="references")

    def meant(self, node: nodes.Element) -> str:
        """Return what a reference by name leads to: a heading has its name in both languages."""
        name: str = node["refname"]
        return self.document.nameids.get(name) or name

    def citations(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Let citations keep their ids."""
        before = [node for node in old if isinstance(node, nodes.citation_reference)]
        after = [node for node in new if isinstance(node, nodes.citation_reference)]
        self.compare(before, after, name_of, kind="citation references")
        ids: dict[str, list[list[str]]] = {}
        for node in before:
            ids.setdefault(node.get("refname", ""), []).append(node["ids"])
        for node in after:
            if same := ids.get(node.get("refname", "")):
                node["ids"] = same.pop(0)

    def cross_references(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Let cross-references know what the source's know: their module, their class and so on."""
        before = [node for node in old if isinstance(node, addnodes.pending_xref)]
        after = [node for node in new if isinstance(node, addnodes.pending_xref)]
        if not before and not after:
            return
        # The term itself may be translated; what is not in the glossary is reported when it is looked up.
        self.compare(before, after, target_of, kind="cross-references")
        known: dict[Any, list[nodes.Element]] = {}
        for node in before:
            if not is_term(node):
                known.setdefault(cross_reference_key(node), []).append(node)
        for node in after:
            if same := known.get(cross_reference_key(node)):
                former = same.pop(0) if len(same) > 1 else same[0]
                # Whether it has a title of its own is for the translation to say.
                node.attributes.update(
                    (name, value) for name, value in former.attributes.items() if name != "refexplicit"
                )


def elements_of(node: nodes.Element) -> list[nodes.Element]:
    """Return the elements in a text, itself not among them."""
    found = []
    for child in node.children:
        if isinstance(child, nodes.Element):
            found.append(child)
            found += elements_of(child)
    return found


def has_own_id(node: nodes.Element) -> bool:
    """Whether a node can be referred to, the marks of footnotes and citations apart."""
    return bool(node["ids"]) and not isinstance(
        node, (nodes.footnote_reference, nodes.citation_reference, addnodes.pending_xref)
    )


Marks = Callable[[nodes.Element], tuple[str, list[str]]]


def marks_of(elements: list[nodes.Element]) -> Marks:
    """Return what tells by which marks elements of two languages are the same: a kind, and names."""
    entries: dict[str, str] = {}
    for element in elements:
        if isinstance(element, addnodes.index):
            for _kind, value, target, *_rest in element["entries"]:
                entries.setdefault(target, value)

    def marks(node: nodes.Element) -> tuple[str, list[str]]:
        entered = [entries[identifier] for identifier in node["ids"] if identifier in entries]
        return ("index", entered) if entered else (str(node.tagname), list(node["names"]))

    return marks


def take(free: list[nodes.Element], wanted: object, marks: Marks) -> nodes.Element | None:
    """Take the node with the same marks out of a list, or else the first; None when it is empty."""
    for index, node in enumerate(free):
        if marks(node) == wanted:
            return free.pop(index)
    return free.pop(0) if free else None


def footnote_name(node: nodes.Element) -> str:
    """Return what tells one mark of a footnote from another: its label, or the kind of its number."""
    return str(node.get("refname") or f"[{'#' if node.get('auto') == 1 else '*'}]")


def footnote_lists(document: nodes.document, node: nodes.Element) -> Iterator[list[Any]]:
    """Yield the lists in which a document keeps a mark of a footnote."""
    yield document.autofootnote_refs
    yield document.symbol_footnote_refs
    if name := node.get("refname"):
        yield document.footnote_refs.get(name, [])
        yield document.refnames.get(name, [])


def exchange(references: list[Any], old: nodes.Element, new: nodes.Element | None) -> None:
    """Put one reference in the place of another, if that is there; nothing takes it out."""
    for index, node in enumerate(references):
        if node is old:
            references[index : index + 1] = [] if new is None else [new]
            return


def name_of(node: nodes.Element) -> str:
    """Return the name that a reference is made by."""
    return str(node.get("refname"))


def is_term(node: nodes.Element) -> bool:
    """Whether a cross-reference leads to the glossary."""
    return (node.get("refdomain"), node.get("reftype")) == ("std", "term")


def target_of(node: nodes.Element) -> str:
    """Return what a cross-reference leads to."""
    return "term" if is_term(node) else str(node.get("reftarget"))


def cross_reference_key(node: nodes.Element) -> tuple[Any, Any, Any]:
    """Return what is the same for a cross-reference and its translation."""
    return node.get("refdomain"), node.get("reftype"), node.get("reftarget")
