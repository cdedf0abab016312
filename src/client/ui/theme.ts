/** The reader's choice; `system` follows the device. Kept under this key, which /theme.js reads before the first paint. */
const themeKey = 'theme'
const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** Anything but a known choice, such as an old or foreign value, follows the system. */
export const parseTheme = (stored: string | null): Theme => themes.find((theme) => theme === stored) ?? 'system'

const changed = 'front-counter:theme'

export function readTheme(): Theme {
  try {
    return parseTheme(localStorage.getItem(themeKey))
  } catch {
    return 'system' // storage switched off
  }
}

function applyTheme(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function writeTheme(theme: Theme) {
  try {
    localStorage.setItem(themeKey, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  applyTheme(theme)
  window.dispatchEvent(new Event(changed))
}

/** For useSyncExternalStore: changes made here and in other tabs. */
export function subscribeTheme(onChange: () => void) {
  const handleStorage = (event: StorageEvent) => {
    if (event.key !== themeKey) return
    applyTheme(readTheme())
    onChange()
  }
  window.addEventListener(changed, onChange)
  window.addEventListener('storage', handleStorage)
  return () => {
    window.removeEventListener(changed, onChange)
    window.removeEventListener('storage', handleStorage)
  }
}
