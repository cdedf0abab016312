import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { ownWords } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { announce } from '#client/ui/announce.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { InlineError, TextField } from '#client/ui/form.tsx'
import type { ContentCalendar } from '#shared/contracts/publishing/content-calendar.ts'
import { adminMoveDropCall } from '#shared/contracts/publishing/publishing.ts'
import { addDays } from '#shared/domain/publishing-calendar.ts'
import { formatTimeIn } from '#shared/domain/zoned-time.ts'
import { formatLongDay } from './calendar-labels.ts'

/** A drop to move. A draft without a date has no day. */
export type MovableDrop = {
  id: string
  title: string
  version: number
  day: string | null
  at: string | null
  emailId: string | null
}

type MoveDropDialogProps = { drop: MovableDrop; calendar: ContentCalendar; onClose: () => void }

/** Moves a drop to another day, with its email. */
export function MoveDropDialog({ drop, calendar, onClose }: MoveDropDialogProps) {
  const { today, nextFreeDay, timeZone } = calendar
  const later = drop.day && addDays(drop.day, 7)
  const offered = [
    later && later > today ? { day: later, label: 'One week later' } : null,
    nextFreeDay && nextFreeDay !== later ? { day: nextFreeDay, label: 'Next free day' } : null,
  ].flatMap((choice) => choice ?? [])
  const [chosen, setChosen] = useState(offered[0]?.day ?? 'other')
  const [other, setOther] = useState('')
  const move = useMoveDrop(drop)
  const day = chosen === 'other' ? other : chosen
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!day || move.isPending) return
    move.mutate(day, { onSuccess: onClose })
  }
  return (
    <Dialog title={`Move “${drop.title}”`} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-4">
        <fieldset className="grid gap-3">
          <legend className="sr-only">Day</legend>
          {offered.map(({ day: offeredDay, label }) => (
            <Choice
              key={offeredDay}
              type="radio"
              name="day"
              label={label}
              description={formatLongDay(offeredDay)}
              checked={chosen === offeredDay}
              onChange={() => setChosen(offeredDay)}
            />
          ))}
          <Choice
            type="radio"
            name="day"
            label="Another day"
            checked={chosen === 'other'}
            onChange={() => setChosen('other')}
          />
          {chosen === 'other' && (
            <TextField
              label="Day"
              type="date"
              required
              min={today}
              value={other}
              onChange={({ target }) => setOther(target.value)}
            />
          )}
        </fieldset>
        {drop.at && (
          <p className="text-sm text-muted">
            It stays at {formatTimeIn(drop.at, timeZone)}, with its text as scheduled.
          </p>
        )}
        {drop.emailId && (
          <p className="border-l-3 border-accent pl-4 font-semibold">
            Its email moves with it and goes out{day ? ` on ${formatLongDay(day)}` : ''}
            {ownWords`, after the drop is published.`}
          </p>
        )}
        <InlineError>{formErrorMessage(move.error)}</InlineError>
        <div className="mt-2 flex flex-wrap gap-3">
          <Button type="submit" pending={move.isPending}>
            {drop.emailId ? ownWords`Move drop and email` : ownWords`Move drop`}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function useMoveDrop({ id, title, version, at, emailId }: MovableDrop) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (to: string) => invoke(adminMoveDropCall, { id, version, from: at, emailId, to }),
    onSuccess: (_stored, to) => {
      toast.success(`Moved to ${formatLongDay(to)}`, { id: 'moved' })
      announce(`${title} is now on ${formatLongDay(to)}`)
      return Promise.all([
        queryClient.invalidateQueries({ queryKey: ['admin-content-calendar'] }),
        queryClient.invalidateQueries({ queryKey: ['admin-content', 'issue'] }),
        queryClient.invalidateQueries({ queryKey: ['admin-document', 'issue', id] }),
      ])
    },
    // Show what it is now, so that the next try starts from there.
    onError: () => queryClient.invalidateQueries({ queryKey: ['admin-content-calendar'] }),
  })
}
