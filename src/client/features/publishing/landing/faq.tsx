import { Plus } from 'lucide-react'
import type { LandingTexts } from '#shared/contracts/library/landing-samples.ts'

export function Faq({ texts: { title, questions } }: { texts: LandingTexts['faq'] }) {
  return (
    <section
      aria-labelledby="faq-title"
      className="page grid gap-x-12 gap-y-8 py-16 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)] lg:py-24"
    >
      <h2 id="faq-title" className="display text-3xl">
        {title}
      </h2>
      <div className="border-b border-line">
        {questions.map(({ question, answer }) => (
          <details key={question} className="group border-t border-line">
            <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 text-lg font-semibold">
              {question}
              <Plus
                aria-hidden
                strokeWidth={1.75}
                className="size-5 shrink-0 text-muted transition-transform group-open:rotate-45"
              />
            </summary>
            <p className="max-w-[66ch] pb-5 text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
