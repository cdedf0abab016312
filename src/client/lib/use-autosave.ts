import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Autosave, type AutosaveOptions, type AutosaveSnapshot, createAutosave } from './autosave.ts'

/**
 * A draft that saves itself while the page is open. The options are read once. Render a `LeaveGuard` beside it, which
 * saves the last changes before the page is left.
 */
export function useAutosave<Stored, Draft>(
  options: AutosaveOptions<Stored, Draft>,
): AutosaveSnapshot<Stored, Draft> & { autosave: Autosave<Stored, Draft> } {
  const [autosave] = useState(() => createAutosave(options))
  const snapshot = useSyncExternalStore(autosave.subscribe, autosave.get)
  useEffect(() => {
    const handleOnline = () => void autosave.flush()
    window.addEventListener('online', handleOnline)
    return () => {
      window.removeEventListener('online', handleOnline)
      autosave.stop()
    }
  }, [autosave])
  return { ...snapshot, autosave }
}
