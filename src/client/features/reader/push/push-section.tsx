import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { registerServiceWorker } from '#client/lib/offline/service-worker.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { CheckField, InlineError } from '#client/ui/form.tsx'
import { type PushDevice, pushDeviceCall } from '#shared/contracts/reader/push.ts'
import { type PushKind, pushKinds } from '#shared/domain/push.ts'

const labels: Record<PushKind, string> = {
  drop: ownWords`There’s a new drop`,
  assignment: 'Something is assigned to me',
  question: 'A store asks a question',
  deadline: 'A deadline comes up',
}

type Choices = NonNullable<PushDevice['device']>

const isSupported = 'serviceWorker' in navigator && 'PushManager' in window
const isApplePhone = /iPhone|iPad|iPod/.test(navigator.userAgent)
const whyNot = isApplePhone
  ? `Install ${publication.name} first: tap Share in Safari, then “Add to Home Screen”. Open it from the home screen and come back to this page.`
  : 'This browser can’t show notifications.'

const findSubscription = async () =>
  (isSupported && (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription())) || null

/** Notifications on this device. The browser asks for permission only after a tap. */
export default function PushSection() {
  /** Undefined until it is known. */
  const [subscription, setSubscription] = useState<PushSubscription | null>()
  const [problem, setProblem] = useState('')
  useEffect(() => void findSubscription().then(setSubscription, () => setSubscription(null)), [])
  const endpoint = subscription?.endpoint ?? null
  const { data } = useQuery({
    ...alwaysStaleQuery(['push-device', endpoint], pushDeviceCall, { endpoint }),
    enabled: subscription !== undefined,
  })
  const save = useChange(pushDeviceCall)
  if (!data?.publicKey) return null
  const { publicKey, device } = data

  const store = (made: PushSubscription, choices: Choices) => {
    const { p256dh = '', auth = '' } = made.toJSON().keys ?? {}
    return save.mutateAsync({ endpoint: made.endpoint, save: { p256dh, auth, ...choices } })
  }
  const turnOn = async () => {
    setProblem('')
    try {
      if ((await Notification.requestPermission()) !== 'granted') {
        return setProblem('Your browser blocks notifications of this site. Allow them in its settings, then try again.')
      }
      await registerServiceWorker()
      const { pushManager } = await navigator.serviceWorker.ready
      // One that was made with an earlier key can't be used.
      await subscription?.unsubscribe()
      const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
      await store(made, { kinds: [...pushKinds], quiet: true })
      setSubscription(made)
    } catch (error) {
      console.error('Notifications could not be turned on', error)
      setProblem('Notifications couldn’t be turned on. Check your connection and try again.')
    }
  }
  /** Without a kind, the subscription ends. */
  const change = (choices: Partial<Choices>) => {
    if (subscription && device) void store(subscription, { ...device, ...choices }).catch(() => {})
  }
  return (
    <section aria-labelledby="push" className="mt-16 grid max-w-2xl gap-3 border-t border-line pt-6">
      <h3 id="push" className="display text-xl">
        Notifications on this device
      </h3>
      {subscription && device ? (
        <>
          <fieldset>
            <legend className="text-muted">Tell me when</legend>
            {pushKinds.map((kind) => (
              <CheckField
                key={kind}
                label={labels[kind]}
                checked={device.kinds.includes(kind)}
                onChange={({ target }) =>
                  change({
                    kinds: pushKinds.filter((each) => (each === kind ? target.checked : device.kinds.includes(each))),
                  })
                }
              />
            ))}
          </fieldset>
          <CheckField
            label="Between 9 PM and 7 AM, wait until morning"
            checked={device.quiet}
            onChange={({ target }) => change({ quiet: target.checked })}
          />
          <InlineError>{formErrorMessage(save.error)}</InlineError>
          <div>
            <Button variant="secondary" pending={save.isPending} onClick={() => change({ kinds: [] })}>
              Turn off on this device
            </Button>
          </div>
          <p className="text-sm text-muted">Signing out turns them off, too.</p>
        </>
      ) : (
        <>
          <p className="text-muted">
            {isSupported ? 'A short message when something needs you, also while the page is closed.' : whyNot}
          </p>
          {isSupported && (
            <div>
              <Button variant="secondary" pending={save.isPending} onClick={() => void turnOn()}>
                Turn on notifications
              </Button>
            </div>
          )}
          <InlineError>{problem}</InlineError>
        </>
      )}
    </section>
  )
}
