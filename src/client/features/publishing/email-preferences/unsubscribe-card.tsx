import { Check } from 'lucide-react'
import { useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import type { EmailChoices, UnsubscribePage } from '#shared/contracts/publishing/email-preferences.ts'
import { formatDay, formatList } from '#shared/domain/format-days-and-lists.ts'
import { useSaveByLink } from './email-preferences.api.ts'

/** Unsubscribe options for the link in an email. Nothing changes until the reader clicks a button. */
export function UnsubscribeCard({ token, page }: { token: string; page: UnsubscribePage }) {
  const { choices, stream, plan } = page
  const save = useSaveByLink(token)
  const [previous, setPrevious] = useState<EmailChoices | null>(null)
  const [done, setDone] = useState('')
  const pending = save.isPending

  const choose = (wanted: EmailChoices, message: string) => {
    if (!pending) {
      save.mutate(wanted, {
        onSuccess: () => {
          setPrevious(choices)
          setDone(message)
        },
      })
    }
  }
  const undo = (choicesBefore: EmailChoices) => {
    save.mutate(choicesBefore, {
      onSuccess: () => {
        setPrevious(null)
        setDone('Your previous preferences are restored.')
      },
    })
  }

  const options = optionsOf(page)
  return (
    <div className="grid gap-8">
      <p className="text-lg wrap-anywhere">
        You opened this page from {sources[stream]} sent to <strong className="font-semibold">{page.address}</strong>.{' '}
        {describeChoices(page)}
      </p>
      <div role="status" className="empty:hidden">
        {done && (
          <div className="flex flex-wrap items-center justify-between gap-3 border-l-3 border-success bg-success-soft px-4 py-3">
            <span className="flex items-center gap-2 font-medium">
              <Check aria-hidden className="size-5 shrink-0 text-success" strokeWidth={1.75} />
              {done}
            </span>
            {previous && (
              <Button variant="quiet" size="sm" pending={pending} onClick={() => undo(previous)}>
                Undo
              </Button>
            )}
          </div>
        )}
      </div>
      <FormError>{formErrorMessage(save.error)}</FormError>
      {options.length > 0 && (
        <div className="grid gap-3">
          {options.map(({ label, wanted, message }, index) => (
            <Button
              key={label}
              block
              variant={index === 0 ? 'primary' : 'secondary'}
              pending={pending && save.variables === wanted}
              onClick={() => choose(wanted, message)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      {plan && <PlanNote plan={plan} />}
      <p className="text-sm text-muted">
        You always get emails about your account and payments, such as sign-in codes, receipts, and plan notices.
      </p>
    </div>
  )
}

const sources: Record<UnsubscribePage['stream'], string> = {
  drops: 'a drop',
  news: 'product news',
  'follow-ups': 'a “Did it work?” email',
  assignments: 'an email about assignments',
}

/** Assignments are named only where they matter: most readers have no team. */
function describeChoices({ stream, choices: { drops, news, followUps, assignments } }: UnsubscribePage): string {
  const streams = [
    ...(drops === 'weekly' ? ['weekly drops'] : drops === 'monthly' ? ['the monthly digest'] : []),
    ...(news ? ['product news'] : []),
    ...(followUps ? ['“Did it work?” emails'] : []),
    ...(assignments && stream === 'assignments' ? ['emails about assignments'] : []),
  ]
  return streams.length > 0
    ? `You’re subscribed to ${formatList(streams)}.`
    : 'You’re not subscribed to any of our emails.'
}

type Option = { label: string; wanted: EmailChoices; message: string }

/** The email’s own stream comes first. */
function optionsOf({ stream, choices }: UnsubscribePage): Option[] {
  const { drops, news, followUps, assignments } = choices
  const ofDrops: Option[] = [
    ...(drops === 'off'
      ? []
      : [
          {
            label: drops === 'weekly' ? 'Stop receiving weekly drops' : 'Stop receiving the monthly digest',
            wanted: { ...choices, drops: 'off' } as const,
            message: 'You’re unsubscribed from drops.',
          },
        ]),
    ...(drops === 'weekly'
      ? [
          {
            label: 'Switch to a monthly digest',
            wanted: { ...choices, drops: 'monthly' } as const,
            message: 'You’ll get one digest a month.',
          },
        ]
      : []),
  ]
  const ofNews: Option[] = news
    ? [
        {
          label: 'Stop receiving product news',
          wanted: { ...choices, news: false },
          message: 'You’re unsubscribed from product news.',
        },
      ]
    : []
  const ofFollowUps: Option[] = followUps
    ? [
        {
          label: 'Stop “Did it work?” emails',
          wanted: { ...choices, followUps: false },
          message: 'You won’t get “Did it work?” emails anymore.',
        },
      ]
    : []
  const ofAssignments: Option[] =
    assignments && stream === 'assignments'
      ? [
          {
            label: 'Stop emails about assignments',
            wanted: { ...choices, assignments: false },
            message: 'You won’t get emails about assignments anymore.',
          },
        ]
      : []
  const all: Option[] =
    [drops !== 'off', news, followUps, ofAssignments.length > 0].filter(Boolean).length > 1
      ? [
          {
            label: 'Unsubscribe from all',
            wanted: { drops: 'off', news: false, followUps: false, assignments: false },
            message: 'You’re unsubscribed from all of these emails.',
          },
        ]
      : []
  const own: Record<UnsubscribePage['stream'], Option[]> = {
    drops: ofDrops,
    news: ofNews,
    'follow-ups': ofFollowUps,
    assignments: ofAssignments,
  }
  const others = Object.entries(own).flatMap(([name, options]) => (name === stream ? [] : options))
  return [...own[stream], ...others, ...all]
}

function PlanNote({ plan }: { plan: NonNullable<UnsubscribePage['plan']> }) {
  const until = plan.paidUntil && formatDay(plan.paidUntil)
  return (
    <Panel label="Your plan">
      <h2 className="display text-lg">{plan.ends ? 'Your plan is canceled' : 'Your plan is still active'}</h2>
      <p className="mt-2 text-muted">
        {plan.ends
          ? `${plan.name} stays active until ${until || 'the end of the billing period'}. You won’t be charged again.`
          : `Unsubscribing doesn’t cancel your plan. ${plan.name} ${
              until ? `renews on ${until}` : 'has an unpaid invoice'
            }. You can still read every drop in the portal.`}
      </p>
      {!plan.ends && (
        <ButtonLink to="/account/billing" variant="secondary" className="mt-4">
          Cancel plan
        </ButtonLink>
      )}
    </Panel>
  )
}
