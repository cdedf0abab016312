import type { Page } from '@playwright/test'

/** Adds a virtual platform authenticator that always verifies the user. Its keys last as long as the page's context. */
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
    remove: () => client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    /** User verification fails from now on. */
    failVerification: () => client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
  }
}
