/** Prints one element of the page without the rest; without an element, the page. `styles.css` has the rules. */
export function printElement(element: Element | null) {
  element?.setAttribute('data-print-alone', '')
  window.addEventListener('afterprint', () => element?.removeAttribute('data-print-alone'), { once: true })
  window.print()
}
