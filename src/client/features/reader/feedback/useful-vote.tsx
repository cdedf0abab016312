import { clsx } from 'clsx'
import { type SubmitEvent, useId, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { announce } from '#client/ui/announce.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError, TextField } from '#client/ui/form.tsx'
import { type ItemVote, maxWhyLength, type ratedKinds } from '#shared/contracts/reader/feedback.ts'
import { useRateItem } from './feedback.api.ts'

type UsefulVoteProps = {
  kind: (typeof ratedKinds)[number]
  id: string
  /** Names the item: "this drop". */
  what: string
  vote: ItemVote | null
}

/** Useful or not, and then why. A tap is saved at once. */
export function UsefulVote({ kind, id, what, vote }: UsefulVoteProps) {
  const titleId = useId()
  const rate = useRateItem(kind, id)
  const choose = (useful: boolean) => {
    if (rate.isPending) return
    rate.mutate(
      { useful, why: vote?.why ?? '' },
      { onSuccess: () => announce(useful ? 'Saved: useful' : 'Saved: not useful') },
    )
  }
  return (
    <section aria-labelledby={titleId} className="text-base">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id={titleId} className="text-sm font-semibold">
          Was {what} useful?
        </h2>
        {[true, false].map((useful) => (
          <button
            key={String(useful)}
            type="button"
            aria-pressed={vote?.useful === useful}
            onClick={() => choose(useful)}
            className={clsx(
              'min-h-11 min-w-16 rounded-md border px-4 font-semibold',
              vote?.useful === useful ? 'border-success bg-success-soft' : 'border-line-strong hover:border-ink',
            )}
          >
            {useful ? 'Yes' : 'No'}
          </button>
        ))}
      </div>
      <InlineError>{formErrorMessage(rate.error)}</InlineError>
      {vote && <Why key={String(vote.useful)} vote={vote} isPending={rate.isPending} onSave={rate.mutate} />}
    </section>
  )
}

type WhyProps = {
  vote: ItemVote
  isPending: boolean
  onSave: (vote: ItemVote, done: { onSuccess: () => void }) => void
}

function Why({ vote, isPending, onSave }: WhyProps) {
  const [why, setWhy] = useState(vote.why)
  const isSaved = why.trim() === vote.why
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isSaved) onSave({ ...vote, why }, { onSuccess: () => announce('Saved') })
  }
  return (
    <form onSubmit={handleSubmit} className="mt-4 flex flex-wrap items-end gap-3">
      <TextField
        label={vote.useful ? 'What was useful? (optional)' : 'What was missing? (optional)'}
        fieldClassName="min-w-0 grow basis-64"
        maxLength={maxWhyLength}
        value={why}
        onChange={({ target }) => setWhy(target.value)}
      />
      <Button type="submit" variant="secondary" pending={isPending} disabled={isSaved}>
        {isSaved && vote.why ? 'Saved' : 'Save'}
      </Button>
    </form>
  )
}
