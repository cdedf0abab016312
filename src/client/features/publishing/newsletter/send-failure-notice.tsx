import { inWords } from '#client/lib/own-words.ts'
import { Button } from '#client/ui/button.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { SendFailure } from '#shared/contracts/publishing/newsletter.ts'
import { sendFailureTexts } from '#shared/domain/mailing-alerts.ts'
import { useMailingAction } from './newsletter.api.ts'

/** Why a mailing wasn't sent and what to do, shown on its draft. */
export function SendFailureNotice({ id, sendFailure }: { id: string; sendFailure: SendFailure }) {
  const { reason, errors, scheduledAt, at } = sendFailure
  const { why, remedy } = sendFailureTexts[reason]
  const transition = useMailingAction(id)
  return (
    <section aria-labelledby="not-sent" className="mb-8 max-w-3xl border-l-3 border-danger bg-danger-soft px-4 py-4">
      <h3 id="not-sent" className="font-semibold text-danger">
        This mailing wasn’t sent
      </h3>
      <p className="mt-1">
        It was due <Timestamp at={scheduledAt ?? at} inline /> and is a draft again. {inWords(why)}
      </p>
      {errors.length > 0 && (
        <ul aria-label="Errors" className="mt-2 grid list-disc gap-1 pl-5 text-sm">
          {errors.map((words) => (
            <li key={words} className="[overflow-wrap:anywhere]">
              {words}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2">{inWords(remedy)}</p>
      <Button
        variant="secondary"
        size="sm"
        className="mt-3"
        pending={transition.isPending}
        onClick={() => transition.mutate('dismiss')}
      >
        Dismiss
      </Button>
    </section>
  )
}
