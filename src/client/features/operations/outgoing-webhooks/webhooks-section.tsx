import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alwaysStaleQuery, pagedQuery } from '#client/lib/calls.ts'
import { type Change, submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { inWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FormActions, FormError, TextField } from '#client/ui/form.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { QueryPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminDeleteWebhookCall,
  adminReplayWebhookCall,
  adminRotateWebhookSecretCall,
  adminSaveWebhookCall,
  adminWebhookDeliveriesCall,
  adminWebhooksCall,
  secretOverlapHours,
  type Webhook,
  type WebhookDelivery,
  webhookEventNames,
  webhookEventTypes,
} from '#shared/contracts/operations/outgoing-webhooks.ts'

const webhooksQuery = alwaysStaleQuery(['webhooks'], adminWebhooksCall, {})

/** Addresses that get events, with a log of the attempts. */
export function WebhooksSection() {
  const webhooks = useQuery(webhooksQuery)
  const [editing, setEditing] = useState<string | null>(null)
  const save = useChange(adminSaveWebhookCall)
  if (!webhooks.data) return <QueryPlaceholder query={webhooks} what="the webhooks" lines={3} height="h-14" />
  const { items } = webhooks.data
  const form = (webhook: Webhook | null) => (
    <WebhookForm webhook={webhook} save={save} onClose={() => setEditing(null)} />
  )
  return (
    <Section
      title="Webhooks"
      lede="Tell your other systems about changes as they happen. Requests are signed by the Standard Webhooks scheme."
    >
      {save.data?.secret && editing === null && <NewSecret secret={save.data.secret} className="mb-6" />}
      {items.length > 0 && (
        <ul aria-label="Webhooks" className="mb-5 divide-y divide-line border-y border-line">
          {items.map((webhook) => (
            <li key={webhook.id} className="py-3.5">
              {editing === webhook.id ? (
                form(webhook)
              ) : (
                <WebhookRow webhook={webhook} onEdit={() => setEditing(webhook.id)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {editing === 'new' ? (
        form(null)
      ) : (
        <Button variant="secondary" onClick={() => setEditing('new')}>
          Add webhook
        </Button>
      )}
    </Section>
  )
}

const NewSecret = ({ secret, className }: { secret: string; className: string }) => (
  <div role="status" className={`rounded-md border border-line bg-sunken p-4 ${className}`}>
    <p className="font-semibold">Copy the signing secret now. It won’t be shown again.</p>
    <CopyableText text={secret} what="signing secret" />
  </div>
)

const disabledTexts = {
  failures: 'Turned off: every attempt to deliver an event failed. Turn it on again to send the events that wait.',
  gone: 'Turned off: the receiver answered that the address is gone.',
}

function WebhookRow({ webhook, onEdit }: { webhook: Webhook; onEdit: () => void }) {
  const { id, url, events, enabled, disabledReason, formerSecretUntil } = webhook
  const [showsLog, setShowsLog] = useState(false)
  const rotate = useChange(adminRotateWebhookSecretCall, { failure: 'We couldn’t replace the secret' })
  const remove = useChange(adminDeleteWebhookCall, {
    done: 'Webhook deleted',
    failure: 'We couldn’t delete the webhook',
  })
  const toggle = useChange(adminSaveWebhookCall)
  const action = (label: string, onClick: () => void, pending = false) => (
    <Button variant="quiet" size="sm" aria-label={`${label}: ${url}`} pending={pending} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
        <div className="min-w-0 text-sm text-muted [overflow-wrap:anywhere]">
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-base text-ink">
            <span className="font-semibold">{url}</span>
            {!enabled && <Tag tone="danger">Off</Tag>}
          </p>
          <p>{events.join(', ')}</p>
          {disabledReason && <p className="text-danger">{disabledTexts[disabledReason]}</p>}
          {formerSecretUntil && (
            <p>
              The former secret signs too until <Timestamp at={formerSecretUntil} inline />.
            </p>
          )}
        </div>
        <div className="-mx-3 flex flex-wrap">
          {action(showsLog ? 'Hide log' : 'Show log', () => setShowsLog(!showsLog))}
          {action(
            enabled ? 'Turn off' : 'Turn on',
            () => toggle.mutate({ id, url, events, enabled: !enabled }),
            toggle.isPending,
          )}
          {action('Edit', onEdit)}
          <ConfirmButton
            label="Replace secret"
            variant="quiet"
            size="sm"
            aria-label={`Replace secret: ${url}`}
            pending={rotate.isPending}
            title="Replace the signing secret?"
            action="Replace secret"
            onConfirm={() => rotate.mutate({ id })}
          >
            You get a new secret. For {secretOverlapHours} hours each request is signed with both, so change it in your
            system by then. If the former one has leaked, delete the webhook and add it again instead.
          </ConfirmButton>
          <ConfirmButton
            label="Delete"
            variant="quiet"
            size="sm"
            aria-label={`Delete: ${url}`}
            pending={remove.isPending}
            title="Delete this webhook?"
            action="Delete"
            onConfirm={() => remove.mutate({ id })}
          >
            It gets no more events, and its log is deleted. You’d get a new secret if you add it again.
          </ConfirmButton>
        </div>
      </div>
      <FormError>{formErrorMessage(toggle.error)}</FormError>
      {rotate.data && <NewSecret secret={rotate.data.secret} className="mt-3" />}
      {showsLog && <WebhookLog id={id} />}
    </>
  )
}

type WebhookFormProps = { webhook: Webhook | null; save: Change<typeof adminSaveWebhookCall>; onClose: () => void }

function WebhookForm({ webhook, save, onClose }: WebhookFormProps) {
  const handleSubmit = submitHandler(save, (_text, form) => {
    const events = webhookEventNames.filter((name) => form.getAll('event').includes(name))
    const wanted = { id: webhook?.id ?? null, url: String(form.get('url')), events, enabled: webhook?.enabled ?? true }
    save.mutate(wanted, { onSuccess: onClose })
  })
  return (
    <form
      onSubmit={handleSubmit}
      aria-label={webhook ? 'Edit webhook' : 'Add webhook'}
      className="grid max-w-3xl gap-5"
    >
      <TextField
        label="Address"
        name="url"
        type="url"
        required
        maxLength={1000}
        defaultValue={webhook?.url}
        placeholder="https://example.com/hooks"
      />
      <ChoiceGroup legend="Events" columns>
        {webhookEventNames.map((name) => (
          <Choice
            key={name}
            type="checkbox"
            name="event"
            value={name}
            defaultChecked={webhook?.events.includes(name)}
            label={name}
            description={inWords(webhookEventTypes[name])}
          />
        ))}
      </ChoiceGroup>
      <FormActions action={webhook ? 'Save' : 'Add webhook'} change={save} onCancel={onClose} />
    </form>
  )
}

const statusTags = {
  pending: { tone: 'plain', text: 'Waiting' },
  succeeded: { tone: 'primary', text: 'Delivered' },
  failed: { tone: 'danger', text: 'Failed' },
} as const

/** Events for one webhook with the attempts to deliver them, newest first. */
function WebhookLog({ id }: { id: string }) {
  const log = useInfiniteQuery(pagedQuery(['webhooks', 'deliveries', id], adminWebhookDeliveriesCall, { id }))
  const deliveries = log.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <div className="mt-4">
      <InfiniteList
        query={log}
        what="the log"
        skeleton={<SkeletonText lines={3} />}
        empty={deliveries.length === 0 ? 'No events yet.' : null}
      >
        <ol aria-label="Events" className="divide-y divide-line border-y border-line">
          {deliveries.map((delivery) => (
            <LogRow key={delivery.id} delivery={delivery} />
          ))}
        </ol>
      </InfiniteList>
    </div>
  )
}

function LogRow({
  delivery: { id, eventId, type, createdAt, status, nextAttemptAt, log },
}: {
  delivery: WebhookDelivery
}) {
  const replay = useChange(adminReplayWebhookCall, {
    done: 'The event is sent again within a minute',
    failure: 'We couldn’t send the event again',
  })
  const { tone, text } = statusTags[status]
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 py-2.5 text-sm">
      <div className="min-w-0 text-muted [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-x-2.5 text-ink">
          <span className="font-semibold">{type}</span>
          <Tag tone={tone}>{text}</Tag>
        </p>
        <p>
          <Timestamp at={createdAt} /> · <code className="font-mono">{eventId}</code>
        </p>
        {log.map((attempt) => (
          <p key={attempt.at}>
            <Timestamp at={attempt.at} />: {attempt.status ?? 'no answer'}, {attempt.durationMs} ms
            {attempt.excerpt && ` · ${attempt.excerpt}`}
          </p>
        ))}
        {nextAttemptAt && log.length > 0 && (
          <p>
            Next attempt <Timestamp at={nextAttemptAt} />
          </p>
        )}
      </div>
      {status !== 'pending' && (
        <Button
          variant="quiet"
          size="sm"
          className="-mx-3"
          aria-label={`Send again: ${type}`}
          pending={replay.isPending}
          onClick={() => replay.mutate({ deliveryId: id })}
        >
          Send again
        </Button>
      )}
    </li>
  )
}
