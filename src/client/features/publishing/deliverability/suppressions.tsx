import { useState } from 'react'
import { Link } from 'react-router'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { inWords } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { FormActions, SelectField, TextField } from '#client/ui/form.tsx'
import { Panel } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminLiftSuppressionCall,
  adminSuppressCall,
  type Suppression,
  suppressedStreams,
  suppressedStreamText,
  suppressionReasons,
} from '#shared/contracts/publishing/deliverability.ts'
import { oneOf } from './suppression-filter.tsx'

/** Suppresses an address manually, for example after a phone call. */
export function SuppressForm() {
  const [open, setOpen] = useState(false)
  const suppress = useChange(adminSuppressCall, {
    onSuccess: ({ email }) => toast.success(`${email} is suppressed`, { id: 'suppression' }),
  })
  if (!open) {
    return (
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Suppress address
      </Button>
    )
  }
  const handleSubmit = submitHandler(suppress, (_text, form) =>
    suppress.mutate(
      {
        email: String(form.get('email')),
        stream: oneOf(suppressedStreams, String(form.get('stream'))) ?? 'all',
        reason: form.get('reason') === 'unsubscribed' ? 'unsubscribed' : 'manual',
        note: String(form.get('note')),
      },
      { onSuccess: () => setOpen(false) },
    ),
  )
  return (
    <Panel label="Suppress address">
      <form onSubmit={handleSubmit} className="grid max-w-xl gap-5">
        <TextField
          label="Email address"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          maxLength={320}
          required
          autoFocus
        />
        <SelectField
          label="Emails to stop"
          name="stream"
          options={Object.entries(suppressedStreams).map(([word, text]) => [word, inWords(text)])}
        />
        <SelectField label="Reason" name="reason">
          <option value="unsubscribed">{suppressionReasons.unsubscribed}</option>
          <option value="manual">{suppressionReasons.manual}</option>
        </SelectField>
        <TextField label="Note" name="note" maxLength={500} hint="Visible to admins only." />
        <FormActions action="Suppress" change={suppress} onCancel={() => setOpen(false)} />
      </form>
    </Panel>
  )
}

/** One suppressed address and stream, with the action to remove the suppression. */
export function SuppressionRow({ suppression }: { suppression: Suppression }) {
  const [open, setOpen] = useState(false)
  const { email, userId, detail, createdAt, createdBy, liftedAt } = suppression
  return (
    <li className="border-b border-line py-3">
      <div className="grid gap-x-6 gap-y-1 text-sm leading-6 md:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_11rem_6rem]">
        <p className="wrap-anywhere">
          {userId ? (
            <Link to={`/admin/members/${userId}`} className="text-link">
              {email}
            </Link>
          ) : (
            email
          )}
          <span className="block text-muted">
            {inWords(suppressedStreamText(suppression.stream, suppression.newsletter))}
          </span>
        </p>
        <p>
          <span className="font-semibold">{suppressionReasons[suppression.reason]}</span>
          {detail && <span className="block text-muted wrap-anywhere">{detail}</span>}
        </p>
        <p className="text-muted tabular-nums">
          <Timestamp at={createdAt} />
          {createdBy && <span className="block wrap-anywhere">by {createdBy}</span>}
        </p>
        <div className="md:text-right">
          {!liftedAt && !open && (
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Remove suppression: ${email}`}
              onClick={() => setOpen(true)}
            >
              Remove
            </Button>
          )}
        </div>
      </div>
      {liftedAt && <RemovedNote suppression={suppression} at={liftedAt} />}
      {open && !liftedAt && <RemoveForm suppression={suppression} onClose={() => setOpen(false)} />}
    </li>
  )
}

function RemovedNote({ suppression, at }: { suppression: Suppression; at: string }) {
  return (
    <p className="mt-1 text-sm text-muted wrap-anywhere">
      Removed <Timestamp inline at={at} /> by {suppression.liftedBy}: {suppression.liftReason}
    </p>
  )
}

function RemoveForm({ suppression, onClose }: { suppression: Suppression; onClose: () => void }) {
  const remove = useChange(adminLiftSuppressionCall, {
    onSuccess: ({ email }) => toast.success(`Suppression removed for ${email}`, { id: 'suppression' }),
  })
  const handleSubmit = submitHandler(remove, (text) =>
    remove.mutate({ id: suppression.id, reason: text('reason') }, { onSuccess: onClose }),
  )
  return (
    <form
      onSubmit={handleSubmit}
      aria-label={`Remove suppression: ${suppression.email}`}
      className="mt-3 grid max-w-xl gap-4"
    >
      <TextField
        label="Reason for removing"
        name="reason"
        required
        autoFocus
        maxLength={500}
        hint="Kept as a record. Earlier bounces and complaints no longer count; new ones do."
      />
      <FormActions action="Remove suppression" change={remove} onCancel={onClose} />
    </form>
  )
}
