import { clsx } from 'clsx'
import { Check, Minus } from 'lucide-react'

type ProtectionSummaryProps = {
  hasPassword: boolean
  hasPasskey: boolean
  factorCount: number
  backupCodesLeft: number
}

export function ProtectionSummary({ hasPassword, hasPasskey, factorCount, backupCodesLeft }: ProtectionSummaryProps) {
  const lines = [
    { label: 'Password', ok: hasPassword, text: hasPassword ? 'Set' : 'Not set' },
    {
      label: 'Two-step verification',
      ok: factorCount > 0,
      text: factorCount === 0 ? 'Off' : factorCount === 1 ? 'On' : `${factorCount} methods`,
    },
    { label: 'Passkeys', ok: hasPasskey, text: hasPasskey ? 'In use' : 'None' },
    { label: 'Backup codes', ok: backupCodesLeft > 0, text: backupCodesLeft > 0 ? `${backupCodesLeft} left` : 'None' },
  ]
  return (
    <dl className="mb-10 grid sm:grid-cols-4 sm:gap-x-8">
      {lines.map(({ label, ok, text }) => {
        const Icon = ok ? Check : Minus
        return (
          <div
            key={label}
            className="flex items-center justify-between border-b border-line py-2 sm:block sm:border-t-2 sm:border-b-0 sm:border-t-ink sm:pt-3"
          >
            <dt className="text-sm font-semibold text-muted">{label}</dt>
            <dd className="display flex items-center gap-2 text-lg sm:mt-1 sm:text-xl">
              <Icon aria-hidden className={clsx('size-5', ok ? 'text-success' : 'text-muted')} strokeWidth={1.75} />
              {text}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
