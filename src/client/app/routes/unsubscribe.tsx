import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { unsubscribePageQuery } from '#client/features/publishing/email-preferences/email-preferences.api.ts'
import { invoke } from '#client/lib/calls.ts'
import { errorMessage, formErrorMessage, isTransient } from '#client/lib/error-message.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { LoadingPlaceholder, Skeleton, SkeletonText } from '#client/ui/loading.tsx'
import { Panel } from '#client/ui/page-parts.tsx'
import {
  type EmailChoices,
  saveByLinkCall,
  type UnsubscribePage,
} from '#shared/contracts/publishing/email-preferences.ts'
import type { Stream } from '#shared/contracts/publishing/newsletter.ts'
import { formatDay, formatList } from '#shared/domain/format.ts'
import { newsletterStream } from '#shared/domain/newsletters.ts'
import { AuthFrame } from '../layouts/auth-frame.tsx'

/** The unsubscribe link in an email opens this page. It needs no sign-in, and opening it changes nothing. */
export function Component() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  return (
    <AuthFrame title="Unsubscribe" back={{ to: '/', label: 'Back to home' }}>
      {token ? <ByLink token={token} /> : <NoLink />}
    </AuthFrame>
  )
}

function ByLink({ token }: { token: string }) {
  const { data, error, isFetching, refetch } = useQuery(unsubscribePageQuery(token))
  if (data && data.address === '') {
    return <p className="text-lg">This account was deleted. You won’t receive any more emails at this address.</p>
  }
  if (data) return <UnsubscribeCard token={token} page={data} />
  if (!error) {
    return (
      <LoadingPlaceholder>
        <SkeletonText lines={3} height="h-7" />
        <Skeleton className="mt-8 h-48" />
      </LoadingPlaceholder>
    )
  }
  if (!isTransient(error)) return <NoLink />
  return (
    <div className="grid gap-8">
      <p role="alert" className="text-lg">
        {errorMessage(error)}
      </p>
      <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </div>
  )
}

function NoLink() {
  return (
    <div className="grid gap-8">
      <p className="text-lg">
        This link doesn’t work. It’s incomplete, or it comes from a test email. You can manage your email preferences in
        your account.
      </p>
      <ButtonLink to="/account/email" block>
        Manage email preferences
      </ButtonLink>
    </div>
  )
}

/** All choices, as an undo restores them. */
type LinkChoices = Pick<UnsubscribePage, 'choices' | 'newsletters'>

function useSaveByLink(token: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ choices, newsletters }: LinkChoices) =>
      invoke(saveByLinkCall, {
        token,
        ...choices,
        newsletters: newsletters.map(({ id, subscribed }) => ({ id, subscribed })),
      }),
    onSuccess: (saved) =>
      queryClient.setQueryData(unsubscribePageQuery(token).queryKey, (page) => page && { ...page, ...saved }),
  })
}

/** Unsubscribe options for the link in an email. Nothing changes until the reader clicks a button. */
function UnsubscribeCard({ token, page }: { token: string; page: UnsubscribePage }) {
  const { choices, newsletters, plan } = page
  const save = useSaveByLink(token)
  const [previous, setPrevious] = useState<LinkChoices | null>(null)
  const [done, setDone] = useState('')
  const pending = save.isPending

  const choose = (wanted: LinkChoices, message: string) => {
    if (!pending) {
      save.mutate(wanted, {
        onSuccess: () => {
          setPrevious({ choices, newsletters })
          setDone(message)
        },
      })
    }
  }
  const undo = (choicesBefore: LinkChoices) => {
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
        You opened this page from {sourceOf(page)} sent to <strong className="font-semibold">{page.address}</strong>.{' '}
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

const sources: Record<Stream, string> = {
  drops: ownWords`a drop`,
  news: 'product news',
  'follow-ups': 'a “Did it work?” email',
  assignments: 'an email about assignments or deadlines',
  replies: 'an email about replies to your answers',
}
const sourceOf = ({ stream, newsletter }: UnsubscribePage) =>
  newsletter ? `“${newsletter.name}”` : sources[stream as Stream]

/** Assignments and replies are named only where they matter: most readers have no team, and never wrote an answer. */
function describeChoices(page: UnsubscribePage): string {
  const { stream, newsletter, newsletters, choices } = page
  const { drops, news, followUps, assignments, replies } = choices
  const retired = newsletter?.isRetired ? 'It isn’t sent anymore, so you won’t get more of it. ' : ''
  const streams = [
    ...newsletters.flatMap(({ name, subscribed }) => (subscribed ? [name] : [])),
    ...(drops === 'weekly' ? [ownWords`weekly drops`] : drops === 'monthly' ? ['the monthly digest'] : []),
    ...(news ? ['product news'] : []),
    ...(followUps ? ['“Did it work?” emails'] : []),
    ...(assignments && stream === 'assignments' ? ['emails about assignments and deadlines'] : []),
    ...(replies !== 'off' && stream === 'replies' ? ['emails about replies to your answers'] : []),
  ]
  return streams.length > 0
    ? `${retired}You’re subscribed to ${formatList(streams)}.`
    : `${retired}You’re not subscribed to any of our emails.`
}

type Option = { label: string; wanted: LinkChoices; message: string }
type BuiltInOption = Omit<Option, 'wanted'> & { wanted: EmailChoices }

/** The email’s own stream comes first. */
function optionsOf({ stream, choices, newsletters }: UnsubscribePage): Option[] {
  const { drops, news, followUps, assignments, replies } = choices
  const ofDrops: BuiltInOption[] = [
    ...(drops === 'off'
      ? []
      : [
          {
            label: drops === 'weekly' ? ownWords`Stop receiving weekly drops` : 'Stop receiving the monthly digest',
            wanted: { ...choices, drops: 'off' } as const,
            message: ownWords`You’re unsubscribed from drops.`,
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
  const ofNews: BuiltInOption[] = news
    ? [
        {
          label: 'Stop receiving product news',
          wanted: { ...choices, news: false },
          message: 'You’re unsubscribed from product news.',
        },
      ]
    : []
  const ofFollowUps: BuiltInOption[] = followUps
    ? [
        {
          label: 'Stop “Did it work?” emails',
          wanted: { ...choices, followUps: false },
          message: 'You won’t get “Did it work?” emails anymore.',
        },
      ]
    : []
  const ofAssignments: BuiltInOption[] =
    assignments && stream === 'assignments'
      ? [
          {
            label: 'Stop emails about assignments and deadlines',
            wanted: { ...choices, assignments: false },
            message: 'You won’t get emails about assignments and deadlines anymore.',
          },
        ]
      : []
  const ofReplies: BuiltInOption[] =
    replies !== 'off' && stream === 'replies'
      ? [
          {
            label: 'Stop emails about replies',
            wanted: { ...choices, replies: 'off' },
            message: 'You won’t get emails about replies to your answers anymore.',
          },
        ]
      : []
  const off = (id: number | null) =>
    newsletters.map((each) => (id === null || each.id === id ? { ...each, subscribed: false } : each))
  const ofNewsletters = newsletters.flatMap(({ id, name, subscribed }): [string, Option[]][] =>
    subscribed
      ? [
          [
            newsletterStream(id),
            [
              {
                label: `Stop receiving ${name}`,
                wanted: { choices, newsletters: off(id) },
                message: `You’re unsubscribed from ${name}.`,
              },
            ],
          ],
        ]
      : [],
  )
  const isOn = [drops !== 'off', news, followUps, ofAssignments.length > 0, ofReplies.length > 0]
  const all: Option[] =
    isOn.filter(Boolean).length + ofNewsletters.length > 1
      ? [
          {
            label: 'Unsubscribe from all',
            wanted: {
              choices: { drops: 'off', news: false, followUps: false, assignments: false, replies: 'off' },
              newsletters: off(null),
            },
            message: 'You’re unsubscribed from all of these emails.',
          },
        ]
      : []
  const builtIn: Record<Stream, BuiltInOption[]> = {
    drops: ofDrops,
    news: ofNews,
    'follow-ups': ofFollowUps,
    assignments: ofAssignments,
    replies: ofReplies,
  }
  const groups: [string, Option[]][] = [
    ...ofNewsletters,
    ...Object.entries(builtIn).map(([name, options]): [string, Option[]] => [
      name,
      options.map((option) => ({ ...option, wanted: { choices: option.wanted, newsletters } })),
    ]),
  ]
  const own = groups.filter(([name]) => name === stream)
  const others = groups.filter(([name]) => name !== stream)
  return [...[...own, ...others].flatMap(([, options]) => options), ...all]
}

function PlanNote({ plan }: { plan: NonNullable<UnsubscribePage['plan']> }) {
  const until = plan.paidUntil && formatDay(plan.paidUntil)
  return (
    <Panel label="Your plan">
      <h2 className="display text-lg">{plan.ends ? 'Your plan is canceled' : 'Your plan is still active'}</h2>
      <p className="mt-2 text-muted">
        {plan.ends
          ? `${plan.name} stays active until ${until || 'the end of the billing period'}. You won’t be charged again.`
          : ownWords`Unsubscribing doesn’t cancel your plan. ${plan.name} ${
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
