import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { Disclosure } from '#client/ui/page-parts.tsx'
import { requestSeatsCall, type TeamView } from '#shared/contracts/billing/teams.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatCount } from '#shared/domain/format-count.ts'

/** What someone asked a team's owner for, and what came of it. */
export function RequestState({ request }: { request: NonNullable<TeamView['request']> }) {
  const { ownerEmail, seats, requestedAt, declined } = request
  const asked = `You asked ${ownerEmail} for ${formatCount(seats, 'seat')} on ${formatDay(requestedAt)}.`
  return (
    <p className="max-w-[60ch] wrap-anywhere">
      {asked}{' '}
      {declined ? 'They declined. Contact them if you have questions.' : 'You’ll get an email with their answer.'}
    </p>
  )
}

/** A member asks the owner for seats for others. */
export default function AskForSeats({ request }: { request: TeamView['request'] }) {
  const ask = useChange(requestSeatsCall, { done: 'Request sent' })
  if (request) {
    return (
      <div className="mt-6">
        <RequestState request={request} />
      </div>
    )
  }
  return (
    <Disclosure summary="Ask for more seats" className="mt-6">
      <form
        onSubmit={submitHandler(ask, (text) => ask.mutate({ seats: Number(text('seats')) }))}
        className="mt-3 grid max-w-md gap-5"
      >
        <TextField
          name="seats"
          label="Seats for others"
          type="number"
          min={1}
          max={100}
          defaultValue="1"
          required
          fieldClassName="max-w-xs"
          hint="The owner gets an email, sees the price, and decides."
        />
        <FormError>{formErrorMessage(ask.error)}</FormError>
        <Button type="submit" variant="secondary" pending={ask.isPending} className="justify-self-start">
          Ask the owner
        </Button>
      </form>
    </Disclosure>
  )
}
