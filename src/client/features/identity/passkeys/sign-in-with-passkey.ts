import { loadBackend } from '#client/lib/load-backend.ts'
import { connectSession } from '#client/lib/session.ts'
import { markPasskeyUsedHere } from './passkey-support.ts'

export type Ceremony = { signal?: AbortSignal; mediation?: CredentialMediationRequirement }

/** Signs in with a passkey the user picks; needs no email. Rejects with errors for `ceremonyErrorMessage`. */
export async function signInWithPasskey(options: Ceremony): Promise<void> {
  await connectSession()
  const { auth } = await loadBackend()
  const { error } = await auth.signInWithPasskey({ options })
  if (error) throw error
  markPasskeyUsedHere()
}
