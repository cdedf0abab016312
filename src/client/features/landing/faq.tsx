import { Plus } from 'lucide-react'
import { plans } from '#shared/domain/plans.ts'

const questions = [
  {
    question: 'What do I get, and when?',
    answer:
      'One drop every Tuesday, by mail and in the members’ portal. The prompts, guides and tool picks are there from the first day, and so are the earlier drops.',
  },
  {
    question: 'How does it know what matters to my business?',
    answer:
      'You say so in three short steps after signing up: where you want help, how much you use AI already, what you are after. Sections that fit come first. Everybody gets all of them, and you can change your answers at any time.',
  },
  {
    question: 'I have never used AI. Is it too early?',
    answer:
      'No. Every section says for which level it is and how many minutes it takes to try. Most need a phone or a back-office laptop, and the words to paste are printed out.',
  },
  {
    question: 'What about my franchisor and my customers’ data?',
    answer:
      'Each drop says what to keep out of an AI tool (customer, staff and payment data first) and where to ask your franchisor before you start. It is not legal advice.',
  },
  {
    question: `What does ${plans.team_monthly.name} add?`,
    answer: `The same library for up to ${plans.team_monthly.seats} people, you included, on one bill. Each signs in with their own address and sets their own order.`,
  },
  {
    question: 'Can I leave?',
    answer: 'Yes, under Manage in the portal, without writing to anybody. What you downloaded stays yours.',
  },
] as const

export function Faq() {
  return (
    <section
      aria-labelledby="faq-title"
      className="page grid gap-x-12 gap-y-8 py-16 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)] lg:py-24"
    >
      <h2 id="faq-title" className="display text-3xl">
        Fair questions
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
