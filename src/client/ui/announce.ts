let region: HTMLElement | undefined

/**
 * Says something to people who use a screen reader, politely. One region for the whole page: dozens of copy buttons
 * with a live region each would be noise in the tree.
 */
export function announce(message: string) {
  if (!region) {
    region = document.createElement('div')
    region.setAttribute('role', 'status')
    region.className = 'sr-only'
    document.body.append(region)
  }
  const target = region
  target.textContent = ''
  // A region must be empty for a moment, or the same message twice is said only once.
  setTimeout(() => {
    target.textContent = message
  }, 60)
}
