/** Of ids and names, a document has only one. */
const dropped = ['id', 'name', 'for', 'autofocus']

/** The markup of what an element shows down to this height of the document. */
export function copyScreen(element: Element, height: number): string {
  // In a document of its own, the copy's images don't load.
  const copy = document.implementation.createHTMLDocument().importNode(element, true)
  prune(element, copy, height)
  return copy.innerHTML
}

function prune(element: Element, copy: Element, height: number) {
  for (const name of dropped) copy.removeAttribute(name)
  if (element instanceof HTMLInputElement) copy.toggleAttribute('checked', element.checked)
  // The copy loses children while both are walked.
  const copies = [...copy.children]
  for (const [index, child] of [...element.children].entries()) {
    const childCopy = copies[index]
    if (!childCopy) continue
    if (isShown(child, height)) prune(child, childCopy, height)
    else childCopy.remove()
  }
}

function isShown(element: Element, height: number): boolean {
  const { top } = element.getBoundingClientRect()
  if (element.getClientRects().length === 0) return getComputedStyle(element).display === 'contents'
  return top + window.scrollY < height || getComputedStyle(element).position === 'fixed'
}
