import type { Page } from '@playwright/test'

/** A device with a fingerprint reader that always recognizes its owner; what it keeps goes with the page's context. */
export async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    keys: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** The device is taken away. */
    withdraw: () => client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    /** The owner lifts the finger before it is read. */
    refuse: () => client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
  }
}
