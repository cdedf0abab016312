import { Check } from 'lucide-react'
import { useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import type { EmailChoices, UnsubscribePage } from '#shared/contracts/email-preferences.ts'
import { formatDay } from '#shared/domain/format.ts'
import { useSaveByLink } from './email-preferences.api.ts'

/** What somebody can do with the link of a mail. Nothing has happened until they click. */
export function UnsubscribeCard({ token, page }: { token: string; page: UnsubscribePage }) {
  const { choices, stream, plan } = page
  const save = useSaveByLink(token)
  const [before, setBefore] = useState<EmailChoices | null>(null)
  const [done, setDone] = useState('')
  const pending = save.isPending

  const choose = (wanted: EmailChoices, words: string) => {
    if (!pending) {
      save.mutate(wanted, {
        onSuccess: () => {
          setBefore(choices)
          setDone(words)
        },
      })
    }
  }
  const undo = (former: EmailChoices) => {
    save.mutate(former, {
      onSuccess: () => {
        setBefore(null)
        setDone('Everything is as it was before.')
      },
    })
  }

  const offers = offersOf(page)
  return (
    <div className="grid gap-8">
      <p className="text-lg wrap-anywhere">
        This mail was {stream === 'drops' ? 'a weekly drop' : 'product news'}, sent to{' '}
        <strong className="font-semibold">{page.address}</strong>. {standing(choices)}
      </p>
      <div role="status" className="empty:hidden">
        {done && (
          <div className="flex flex-wrap items-center justify-between gap-3 border-l-3 border-primary bg-primary-soft px-4 py-3">
            <span className="flex items-center gap-2 font-medium">
              <Check aria-hidden className="size-5 shrink-0 text-primary" strokeWidth={1.75} />
              {done}
            </span>
            {before && (
              <Button variant="quiet" size="sm" pending={pending} onClick={() => undo(before)}>
                Undo
              </Button>
            )}
          </div>
        )}
      </div>
      <FormError>{formErrorMessage(save.error)}</FormError>
      {offers.length > 0 && (
        <div className="grid gap-3">
          {offers.map(({ label, wanted, words }, nr) => (
            <Button
              key={label}
              block
              variant={nr === 0 ? 'primary' : 'secondary'}
              pending={pending && save.variables === wanted}
              onClick={() => choose(wanted, words)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      {plan && <StillPaidFor plan={plan} />}
      <p className="text-sm text-muted">
        Mail about your account and your payments always comes: sign-in codes, receipts, notices about your plan.
      </p>
    </div>
  )
}

function standing({ drops, news }: EmailChoices): string {
  const streams = [
    ...(drops === 'weekly' ? ['weekly drops'] : drops === 'monthly' ? ['the monthly digest'] : []),
    ...(news ? ['product news'] : []),
  ]
  return streams.length > 0 ? `You get ${streams.join(' and ')}.` : 'You get neither drops nor product news.'
}

type Offer = { label: string; wanted: EmailChoices; words: string }

/** What can be turned off, the stream of the mail first; and less of it before none of it is spelled out. */
function offersOf({ stream, choices }: UnsubscribePage): Offer[] {
  const { drops, news } = choices
  const ofDrops: Offer[] = [
    ...(drops === 'off'
      ? []
      : [{ label: 'Stop drops', wanted: { drops: 'off', news } as const, words: 'Drops will not come any more.' }]),
    ...(drops === 'weekly'
      ? [
          {
            label: 'One digest a month instead',
            wanted: { drops: 'monthly', news } as const,
            words: 'You get one digest a month.',
          },
        ]
      : []),
  ]
  const ofNews: Offer[] = news
    ? [{ label: 'Stop product news', wanted: { drops, news: false }, words: 'Product news will not come any more.' }]
    : []
  const both: Offer[] =
    drops !== 'off' && news
      ? [
          {
            label: 'Stop both',
            wanted: { drops: 'off', news: false },
            words: 'Neither drops nor news will come any more.',
          },
        ]
      : []
  return stream === 'drops' ? [...ofDrops, ...ofNews, ...both] : [...ofNews, ...ofDrops, ...both]
}

function StillPaidFor({ plan }: { plan: NonNullable<UnsubscribePage['plan']> }) {
  const until = plan.paid_until && formatDay(plan.paid_until)
  return (
    <Panel label="Your plan">
      <h2 className="display text-lg">Your plan goes on</h2>
      <p className="mt-2 text-muted">
        {plan.ends
          ? `${plan.name} is canceled already and stays open${until ? ` until ${until}` : ''}. Nothing more is charged.`
          : `Unsubscribing stops mail, not the plan. ${plan.name} ${
              until ? `is paid until ${until} and renews then` : 'has a payment open'
            }; every drop stays in the portal.`}
      </p>
      {!plan.ends && (
        <ButtonLink to="/account/billing" variant="secondary" className="mt-4">
          Cancel the plan
        </ButtonLink>
      )}
    </Panel>
  )
}
