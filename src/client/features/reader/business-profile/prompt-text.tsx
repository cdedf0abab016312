import { lazy, type ReactNode, Suspense } from 'react'
import type { FilledPart } from '#shared/domain/fill-placeholders.ts'
import type { Vertical } from '#shared/domain/verticals.ts'
import { Blank } from './blank.tsx'
import type { Filling } from './use-filling.ts'
import type { OpenBlank } from './use-open-blank.ts'

const LazyEditor = lazy(async () => ({ default: (await import('./blank-editor.tsx')).BlankEditor }))

const LazyNote = lazy(() => import('./copied-note.tsx'))

type OpenEditorProps = { part: FilledPart; filling: Filling; blank: OpenBlank; vertical: Vertical | null }

/** Loaded with the first tap on a blank. */
export const OpenEditor = ({ part, filling, blank, vertical }: OpenEditorProps): ReactNode => (
  <Suspense>
    <LazyEditor
      key={`${part.at} ${filling.isEmptied}`}
      part={part}
      filling={filling}
      vertical={vertical}
      onDone={blank.goOn}
      onClose={() => blank.close(part)}
    />
  </Suspense>
)

/** Its code loads when a prompt is copied for the first time. */
export const CopiedNote = ({ missing }: Pick<Filling, 'missing'>): ReactNode => (
  <Suspense>
    <LazyNote missing={missing} />
  </Suspense>
)

type PromptTextProps = { filling: Filling; blank: OpenBlank; vertical: Vertical | null }

/** The prompt with its blanks filled in or marked. An open blank has its field right below. */
export function PromptText({ filling, blank, vertical }: PromptTextProps) {
  const { parts } = filling
  const open = parts.find(blank.isOpen)
  const end = open ? parts.indexOf(open) + 1 : parts.length
  const show = (part: FilledPart) =>
    part.placeholder ? (
      <mark key={part.at} className="bg-transparent text-inherit">
        <Blank part={part} id={blank.idOf(part)} isOpen={blank.isOpen(part)} onOpen={() => blank.toggle(part)} />
      </mark>
    ) : (
      part.text
    )
  return (
    <div className="measure rounded-r-md border-l-3 border-primary bg-sunken px-4 py-3 text-sm leading-relaxed [overflow-wrap:anywhere] print:max-w-none">
      <p className="whitespace-pre-line">{parts.slice(0, end).map(show)}</p>
      {open && <OpenEditor part={open} filling={filling} blank={blank} vertical={vertical} />}
      {end < parts.length && <p className="whitespace-pre-line">{parts.slice(end).map(show)}</p>}
    </div>
  )
}
