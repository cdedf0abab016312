/** The local storage key, which /theme.js reads before the first paint. */
const themeKey = 'theme'
const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** Unknown values follow the system. */
export const parseTheme = (stored: string | null): Theme => themes.find((theme) => theme === stored) ?? 'system'

const changed = 'front-counter:theme'

export function readTheme(): Theme {
  try {
    return parseTheme(localStorage.getItem(themeKey))
  } catch {
    return 'system' // storage is blocked
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
    // Without storage the choice lasts until the page is closed.
  }
  applyTheme(theme)
  window.dispatchEvent(new Event(changed))
}

/** For useSyncExternalStore. Reports changes from this and other tabs. */
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
