import { type SubmitEvent, useState } from 'react'
import { Link } from 'react-router'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { type Suppression, suppressedStreams, suppressionReasons } from '#shared/contracts/deliverability.ts'
import { useLift } from './suppressions.api.ts'

/** One address and one stream: why nothing is written, since when, and how it ends. */
export function SuppressionRow({ suppression }: { suppression: Suppression }) {
  const [open, setOpen] = useState(false)
  const { email, user_id, detail, created_at, created_by, lifted_at } = suppression
  return (
    <li className="border-b border-line py-3">
      <div className="grid gap-x-6 gap-y-1 text-sm leading-6 md:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_11rem_6rem]">
        <p className="wrap-anywhere">
          {user_id ? (
            <Link to={`/admin/users/${user_id}`} className="text-link">
              {email}
            </Link>
          ) : (
            email
          )}
          <span className="block text-muted">{suppressedStreams[suppression.stream]}</span>
        </p>
        <p>
          <span className="font-semibold">{suppressionReasons[suppression.reason]}</span>
          {detail && <span className="block text-muted wrap-anywhere">{detail}</span>}
        </p>
        <p className="text-muted tabular-nums">
          <Timestamp at={created_at} />
          {created_by && <span className="block wrap-anywhere">by {created_by}</span>}
        </p>
        <div className="md:text-right">
          {!lifted_at && !open && (
            <Button variant="secondary" size="sm" aria-label={`Lift: ${email}`} onClick={() => setOpen(true)}>
              Lift
            </Button>
          )}
        </div>
      </div>
      {lifted_at && <Lifted suppression={suppression} at={lifted_at} />}
      {open && !lifted_at && <LiftForm suppression={suppression} onClose={() => setOpen(false)} />}
    </li>
  )
}

function Lifted({ suppression, at }: { suppression: Suppression; at: string }) {
  return (
    <p className="mt-1 text-sm text-muted wrap-anywhere">
      Lifted <Timestamp inline at={at} /> by {suppression.lifted_by}: {suppression.lift_reason}
    </p>
  )
}

function LiftForm({ suppression, onClose }: { suppression: Suppression; onClose: () => void }) {
  const lift = useLift()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    if (!lift.isPending) lift.mutate({ id: suppression.id, reason }, { onSuccess: onClose })
  }
  return (
    <form onSubmit={handleSubmit} aria-label={`Lift: ${suppression.email}`} className="mt-3 grid max-w-xl gap-4">
      <TextField
        label="Why is it lifted?"
        name="reason"
        required
        autoFocus
        maxLength={500}
        hint="It stays in the list as the record of who did it. Reports from before count no more, later ones do."
      />
      <FormError>{formErrorMessage(lift.error)}</FormError>
      <FormActions action="Write to it again" pending={lift.isPending} onCancel={onClose} />
    </form>
  )
}
