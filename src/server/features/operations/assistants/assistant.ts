import type { z } from 'zod'
import type { FeatureDeps } from '#server/feature.ts'
import { hasAccess } from '#server/features/billing/subscriptions/access/read-access.ts'
import { readStepUp } from '#server/features/identity/auth/security/step-up.ts'
import type { Caller, Principal } from '#server/http/principal.ts'
import { type CallRequest, makeCall, requireAudience, requireRole } from '#server/http/product-calls.ts'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import type { Right } from '#shared/domain/connection-rights.ts'
import { AppError } from '#shared/errors.ts'

/** A connected assistant during one request, and the person for whom it acts. */
export type Assistant = {
  who: Caller
  connectionId: string
  rights: ReadonlySet<Right>
  deps: FeatureDeps
  /** True if the portal is open to the person now. */
  hasAccess: boolean
  /** Makes a product call as the person, with all checks of their own requests. */
  call<C extends AnyCall>(call: C, input: z.input<C['input']>): Promise<z.output<C['output']>>
  /** The whole address of a page. */
  link(path: string): string
}

type Connected = { who: Caller; connectionId: string; rights: ReadonlySet<Right>; request: CallRequest }

export function assistantOf(deps: FeatureDeps, { who, connectionId, rights, request }: Connected): Assistant {
  const isOpen = (person: Principal) => hasAccess(deps.config, person, deps.clock())
  const audienceDeps = {
    hasAccess: isOpen,
    requireAdminSecondFactor: (person: Principal) => requireFactor(deps, person),
  }
  return {
    who,
    connectionId,
    rights,
    deps,
    hasAccess: isOpen(who),
    async call(call, input) {
      // Sending, money, deletion and roles need a recent sign-in, which an assistant never has.
      if (call.stepUp || call.file) throw new AppError('step_up_required')
      await requireAudience(audienceDeps, call, who)
      if (call.saveRoles) requireRole(call.saveRoles, who)
      return makeCall(deps.allCalls(), call, input, who, request)
    },
    link: (path) => new URL(path, deps.config.publicUrl).href,
  }
}

/** Consent needs every factor that the account has, so that having one is enough. */
async function requireFactor(deps: FeatureDeps, who: Principal): Promise<void> {
  if (!deps.config.auth.requireAdminMfa) return
  const { hasFactor, hasPasskey } = await readStepUp(deps, who)
  if (!hasFactor && !hasPasskey) throw new AppError('mfa_setup_required')
}
