import { createStoredChoice } from '#client/lib/stored-choice.ts'

/** How texts are written on this device: as readers see them, or as Markdown. */
export type EditorMode = 'text' | 'source'

const choice = createStoredChoice('editor-mode')

export const chooseEditorMode = (mode: EditorMode) => choice.choose(mode)

export const useEditorMode = (): EditorMode => (choice.useChoice() === 'source' ? 'source' : 'text')
