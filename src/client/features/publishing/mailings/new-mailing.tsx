import { formErrorMessage } from '#client/lib/error-message.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { useCreateMailing } from './mailings.api.ts'

type UnsentIssue = { id: string; title: string; date: string }
type NewMailingProps = { unsent: readonly UnsentIssue[]; onCreated: (id: string) => void }

/** Published drops that haven't been emailed, and buttons for a digest and news. */
export function NewMailing({ unsent, onCreated }: NewMailingProps) {
  const create = useCreateMailing()
  const handleCreate = (wanted: Parameters<typeof create.mutate>[0]) => {
    if (!create.isPending) create.mutate(wanted, { onSuccess: ({ id }) => onCreated(id) })
  }
  const isMaking = (id: string) =>
    create.isPending && create.variables.kind === 'issue' && create.variables.issueId === id
  return (
    <section aria-labelledby="to-send" className="pt-8">
      <h2 id="to-send" className="display text-2xl">
        Ready to send
      </h2>
      <p className="mt-1 max-w-[60ch] text-muted">{ownWords`Published drops that haven’t been emailed yet. Next, you choose the audience, preview the email, and run the checks.`}</p>
      {unsent.length > 0 ? (
        <ul className="mt-4 divide-y divide-line border-y border-line">
          {unsent.map(({ id, title, date }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
              <div className="min-w-0">
                <p className="font-semibold">{title}</p>
                <time dateTime={date} className="text-sm text-muted">
                  {formatDay(date)}
                </time>
              </div>
              <Button
                variant="secondary"
                aria-label={`Prepare ${title}`}
                pending={isMaking(id)}
                onClick={() => handleCreate({ kind: 'issue', issueId: id })}
              >
                Prepare
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-4 border-y border-line py-6 text-muted">{ownWords`All published drops have been emailed.`}</p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => handleCreate({ kind: 'digest' })}>
          New monthly digest
        </Button>
        <Button variant="secondary" onClick={() => handleCreate({ kind: 'news' })}>
          New product news
        </Button>
      </div>
      <InlineError className="mt-3">{formErrorMessage(create.error)}</InlineError>
    </section>
  )
}
