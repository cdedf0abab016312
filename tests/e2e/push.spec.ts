import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test.use({ serviceWorkers: 'allow' })

test('A reader turns notifications on after a tap, and chooses what this device is told', async ({
  page,
  context,
  login,
  signUpSubscriber,
}) => {
  const reader = await signUpSubscriber()
  await login(reader)
  await context.grantPermissions(['notifications'])
  // The browser of the test has no push service.
  await page.addInitScript(() => {
    let isOn = false
    const key = 'B'.padEnd(87, 'A')
    const subscription = {
      endpoint: 'https://push.example.com/device',
      toJSON: () => ({ keys: { p256dh: key, auth: 'A'.repeat(22) } }),
      unsubscribe: async () => true,
    }
    PushManager.prototype.subscribe = async () => {
      isOn = true
      return subscription as unknown as PushSubscription
    }
    PushManager.prototype.getSubscription = async () => (isOn ? (subscription as unknown as PushSubscription) : null)
  })
  await page.goto('/account/email')
  const section = page.getByRole('region', { name: 'Notifications on this device' })
  await section.getByRole('button', { name: 'Turn on notifications' }).click()
  const drops = section.getByRole('checkbox', { name: 'There’s a new drop' })
  await expect(drops).toBeChecked()
  await expect(section.getByRole('checkbox', { name: 'Between 9 PM and 7 AM, wait until morning' })).toBeChecked()
  await inspect(page, 'push')
  await drops.click()
  await expect(drops).not.toBeChecked()
  await expect(section.getByRole('checkbox', { name: 'A deadline comes up' })).toBeChecked()

  await test.step('the service worker shows a message', async () => {
    const worker = context.serviceWorkers()[0]
    if (!worker) throw new Error('There is no service worker')
    // The browser of the test shows no notifications.
    await worker.evaluate(() => {
      const shown: object[] = []
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
      registration.showNotification = async (title, options) => {
        shown.push({ title, path: options?.data, tag: options?.tag })
      }
      Object.assign(globalThis, { shown })
    })
    const session = await context.newCDPSession(page)
    const registered = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId)
      })
    })
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(page.url()).origin,
      registrationId: await registered,
      data: JSON.stringify({ title: 'New drop', body: 'Field audits', path: '/portal/deadlines', tag: 'drop' }),
    })
    await expect
      .poll(() => worker.evaluate(() => (globalThis as unknown as { shown: object[] }).shown))
      .toEqual([{ title: 'New drop', path: '/portal/deadlines', tag: 'drop' }])
  })

  await section.getByRole('button', { name: 'Turn off on this device' }).click()
  await expect(section.getByRole('button', { name: 'Turn on notifications' })).toBeVisible()
})
