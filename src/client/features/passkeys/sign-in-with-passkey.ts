import { loadBackend } from '#client/lib/load-backend.ts'
import { connectSession } from '#client/lib/session.ts'
import { markPasskeyUsedHere } from './used-here.ts'

export type Ceremony = { signal?: AbortSignal; mediation?: CredentialMediationRequirement }

/** Signs in with whichever passkey its owner chooses; no address has to be typed. Rejects as `ceremonyErrorMessage` expects. */
export async function signInWithPasskey(options: Ceremony): Promise<void> {
  await connectSession()
  const { auth } = await loadBackend()
  const { error } = await auth.signInWithPasskey({ options })
  if (error) throw error
  markPasskeyUsedHere()
}
