import { Plus } from 'lucide-react'
import { plans } from '#shared/domain/plans.ts'

const questions = [
  {
    question: 'What do I get, and when?',
    answer:
      'One drop every Tuesday, by email and in the members’ portal. You also get all prompts, guides, tool picks, and past drops from day one.',
  },
  {
    question: 'How does it know what matters to my business?',
    answer:
      'You answer three short questions after signing up: where you want help, how familiar you are with AI, and what you want to achieve. Matching sections come first. You still get everything, and you can change your answers at any time.',
  },
  {
    question: 'I have never used AI. Is it too early?',
    answer:
      'No. Every section states its level and how many minutes it takes to try. Most need only a phone or a back-office laptop, and the exact words to paste are included.',
  },
  {
    question: 'What about my franchisor and my customers’ data?',
    answer:
      'One list says what never goes into an AI tool: above all customer, employee and payment data. Every drop has a question for your franchisor that is ready to send, so that you ask before you act. None of it is legal advice.',
  },
  {
    question: `What does ${plans.team_monthly.name} add?`,
    answer: `The same library for up to ${plans.team_monthly.seats} people, including you, on one bill. Each person signs in with their own email address and sets their own preferences.`,
  },
  {
    question: 'Can I cancel?',
    answer: 'Yes, at any time, under Manage in the portal. You keep everything you downloaded.',
  },
] as const

export function Faq() {
  return (
    <section
      aria-labelledby="faq-title"
      className="page grid gap-x-12 gap-y-8 py-16 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)] lg:py-24"
    >
      <h2 id="faq-title" className="display text-3xl">
        Questions and answers
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
