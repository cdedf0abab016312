import { usePasteGuard } from '#client/features/reader/business-profile/use-paste-guard.tsx'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { Disclosure } from '#client/ui/page-parts.tsx'
import type { Assignment } from '#shared/contracts/reader/assignments.ts'
import { variables } from '#shared/domain/variables.ts'

/** The text of an assignment in the team's words or as it was filled in, and which of its facts say something else now. */
export default function FilledText({ assignment: { id, title, text, changedFacts } }: { assignment: Assignment }) {
  const part = { ...{ text, at: 0, placeholder: null, key: null }, value: text, shown: text, source: 'typed' as const }
  const { guard, question } = usePasteGuard({ parts: [part], text, privateWords: [] })
  return (
    <>
      <Disclosure summary={id === null ? 'What to do' : 'Filled-in text'}>
        <p className="measure rounded-r-md border-l-3 border-primary bg-sunken px-4 py-3 text-sm whitespace-pre-line [overflow-wrap:anywhere]">
          {text}
        </p>
        <p className="mt-2">
          <CopyButton text={text} what={title} guard={guard} />
        </p>
        {question}
      </Disclosure>
      {changedFacts.length > 0 && (
        <div className="mt-1 text-sm text-accent-ink">
          <p className="font-semibold">Filled in with older details</p>
          {changedFacts.map(({ name, from, to }) => (
            <p key={name} className="[overflow-wrap:anywhere]">
              {variables[name].label} was “{from}”{to === null ? '' : to ? `, now “${to}”` : ', now empty'}
            </p>
          ))}
        </div>
      )}
    </>
  )
}
