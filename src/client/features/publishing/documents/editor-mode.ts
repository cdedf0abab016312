import { createStoredChoice } from '#client/lib/stored-choice.ts'

/** Whether texts are written as readers see them or as Markdown, on this device. */
export type EditorMode = 'text' | 'source'

const stored = createStoredChoice('editor-mode')

export const chooseEditorMode = (mode: EditorMode) => stored.choose(mode === 'text' ? null : mode)
export const useEditorMode = (): EditorMode => (stored.useChoice() === 'source' ? 'source' : 'text')
