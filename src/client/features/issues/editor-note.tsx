import { publication } from '#shared/publication.ts'

/** A few signed words by the editor. `editor` is null until it has loaded, and if no editor is named. */
export function EditorNote({ note, editor }: { note: string; editor: string | null }) {
  return (
    <aside aria-label="Editor’s note" className="pt-8">
      <p className="display text-xl leading-snug font-[440] text-pretty whitespace-pre-line [overflow-wrap:anywhere]">
        {note}
      </p>
      <p className="mt-2 border-b border-line pb-6 text-sm text-muted">
        {editor ? `${editor}, editor` : `The editors of ${publication.name}`}
      </p>
    </aside>
  )
}
