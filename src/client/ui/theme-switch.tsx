import { Monitor, Moon, Sun } from 'lucide-react'
import { useId, useSyncExternalStore } from 'react'
import { readTheme, subscribeTheme, type Theme, writeTheme } from './theme.ts'

const options = [
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
  { theme: 'system', label: 'System', icon: Monitor },
] as const satisfies readonly { theme: Theme; label: string; icon: typeof Sun }[]

/** Remembers the choice on this device. */
export function ThemeSwitch() {
  const chosen = useSyncExternalStore<Theme>(subscribeTheme, readTheme, () => 'system')
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-md border border-line">
      <legend className="sr-only">Color theme</legend>
      {options.map(({ theme, label, icon: Icon }) => (
        <label
          key={theme}
          title={label}
          className="relative grid size-11 place-items-center rounded-md text-muted transition-colors hover:text-ink has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={name}
            value={theme}
            checked={chosen === theme}
            onChange={() => writeTheme(theme)}
            aria-label={label}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          <Icon aria-hidden className="size-5" strokeWidth={1.75} />
        </label>
      ))}
    </fieldset>
  )
}
