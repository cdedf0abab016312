import { TriangleAlert } from 'lucide-react'
import { Disclosure } from '#client/ui/disclosure.tsx'
import type { PromptExample } from '#shared/contracts/library/library.ts'
import { verticalLabels } from '#shared/domain/verticals.ts'

/** An invented input with an answer, the mistake in it, and the corrected version. Folded; not in print. */
export function WorkedExample({ example }: { example: PromptExample }) {
  return (
    <Disclosure
      className="mt-4 border-t border-line print:hidden"
      summary={
        <span className="py-2 text-sm">
          Worked example: {verticalLabels[example.vertical]}
          <span className="block font-normal text-muted">Written for illustration</span>
        </span>
      }
    >
      <dl className="measure pb-2 text-sm leading-relaxed">
        <Part title="Goes into the blanks" text={example.input} />
        <Part title="Answer" text={example.answer} />
        <div className="mt-4 rounded-r-md border-l-3 border-accent bg-accent-soft px-4 py-3 text-accent-ink">
          <dt className="flex items-center gap-2 font-semibold">
            <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
            The mistake
          </dt>
          <dd className="mt-1 whitespace-pre-line">{example.mistake.trim()}</dd>
        </div>
        <Part title="Corrected" text={example.corrected} />
      </dl>
    </Disclosure>
  )
}

const Part = ({ title, text }: { title: string; text: string }) => (
  <div className="mt-4 border-t border-line pt-3 first:mt-0">
    <dt className="font-semibold">{title}</dt>
    <dd className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">{text.trim()}</dd>
  </div>
)
