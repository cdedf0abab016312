import { chooseEditorMode, type EditorMode } from './editor-mode.ts'

const modes = { text: 'Text', source: 'Source' } as const

/** Switches all Markdown fields between the text as readers see it and its Markdown. */
export const ModeSwitch = ({ label, mode }: { label: string; mode: EditorMode }) => (
  <fieldset className="writing-switch" aria-label={`Show: ${label}`}>
    {(Object.keys(modes) as EditorMode[]).map((name) => (
      <button key={name} type="button" aria-pressed={mode === name} onClick={() => chooseEditorMode(name)}>
        {modes[name]}
      </button>
    ))}
  </fieldset>
)
