import { useSyncExternalStore } from 'react'

/** Whether texts are written as readers see them or as Markdown, on this device. */
export type EditorMode = 'text' | 'source'

// Not lib/stored-choice.ts: pages of readers would load its export for the editor.
const storageKey = 'editor-mode'
/** Holds the choice if storage is blocked. */
let chosen: EditorMode = 'text'

function read(): EditorMode {
  try {
    return localStorage.getItem(storageKey) === 'source' ? 'source' : 'text'
  } catch {
    return chosen
  }
}

export function chooseEditorMode(mode: EditorMode) {
  chosen = mode
  try {
    localStorage.setItem(storageKey, mode)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  window.dispatchEvent(new Event(storageKey))
}

function subscribe(onChange: () => void) {
  window.addEventListener('storage', onChange)
  window.addEventListener(storageKey, onChange)
  return () => {
    window.removeEventListener('storage', onChange)
    window.removeEventListener(storageKey, onChange)
  }
}

export const useEditorMode = (): EditorMode => useSyncExternalStore(subscribe, read)
