"""XML from strangers."""

from xml.etree import ElementTree


class XmlError(ValueError):
    """Why a text is not read; the caller knows where it is from."""


def parse_xml(text: str) -> ElementTree.Element:
    """The root element of a text."""
    # A document type is the only way to define entities, and nested ones fill the memory.
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise XmlError("document types and entities are not supported")
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise XmlError(f"not well-formed XML: {error}") from None
