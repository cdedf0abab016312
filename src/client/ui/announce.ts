let region: HTMLElement | undefined

/**
 * Announces a message to screen readers, politely. All messages share one live region, so that dozens of copy buttons
 * don't need one each.
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
  // Clears the region first, or it wouldn't announce the same message twice.
  setTimeout(() => {
    target.textContent = message
  }, 60)
}
