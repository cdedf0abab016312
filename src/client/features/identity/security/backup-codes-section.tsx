import { Download, Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useChange } from '#client/lib/changes.ts'
import { publication } from '#client/lib/publication.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { useSession } from '#client/lib/session.ts'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import { createBackupCodesCall } from '#shared/contracts/identity/account-security.ts'
import { formatDay } from '#shared/domain/format.ts'
import { backupCodesText } from './backup-codes-text.ts'

const lowCount = 3

type BackupCodesSectionProps = { left: number; createdAt: string | null; isTwoStepOn: boolean }

export function BackupCodesSection({ left, createdAt, isTwoStepOn }: BackupCodesSectionProps) {
  const create = useChange(createBackupCodesCall, { failure: 'We couldn’t create backup codes' })
  const [asking, setAsking] = useState(false)
  // Kept in the mutation only: the query cache would outlive the page.
  const codes = create.data?.codes
  const handleCreate = () => (left > 0 ? setAsking(true) : create.mutate({}))

  return (
    <Section
      title="Backup codes"
      status={createdAt && left > 0 ? `${left} left, created ${formatDay(createdAt)}` : 'None'}
      lede={
        isTwoStepOn
          ? 'Ten codes for when you don’t have your phone or key. Each works once.'
          : 'Once two-step verification is on, you can create codes in case you lose your device.'
      }
    >
      {codes ? (
        <NewCodes codes={codes} onDone={create.reset} />
      ) : (
        isTwoStepOn && (
          <>
            {left <= lowCount && (
              <Banner
                title={
                  left === 0 ? 'Create your backup codes now' : `Only ${left} ${left === 1 ? 'code' : 'codes'} left`
                }
                className="mb-5"
              >
                If you lose your phone or key, a backup code is the only way back in. It takes a minute.
              </Banner>
            )}
            <Button variant={left === 0 ? 'primary' : 'secondary'} pending={create.isPending} onClick={handleCreate}>
              {left === 0 ? 'Create backup codes' : 'Create new codes'}
            </Button>
          </>
        )
      )}
      {asking && (
        <ConfirmDialog
          title="Create new backup codes?"
          action="Create new codes"
          onConfirm={() => create.mutate({})}
          onClose={() => setAsking(false)}
        >
          {left === 1 ? 'Your current code stops' : `Your ${left} current codes stop`} working.
        </ConfirmDialog>
      )}
    </Section>
  )
}

function NewCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { user } = useSession()
  const title = useRef<HTMLHeadingElement>(null)
  const text = backupCodesText(codes, user?.email ?? '', new Date())
  // The button that had the focus is gone.
  useEffect(() => title.current?.focus(), [])
  return (
    <Panel label="New backup codes">
      <div data-print-alone>
        <h4 ref={title} tabIndex={-1} className="display text-xl">
          Your new backup codes
        </h4>
        <p className="mt-1 text-muted print:hidden">
          They’re shown only once. Keep them somewhere safe, not on the phone you might lose.
        </p>
        <p className="mt-1 hidden print:block">
          {publication.name}, {user?.email}. Each code works once.
        </p>
        <ol aria-label="Backup codes" className="mt-5 grid gap-x-10 gap-y-1 border-y border-line py-4 sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code} className="font-mono text-lg tracking-wider tabular-nums">
              {code}
            </li>
          ))}
        </ol>
      </div>
      <div className="mt-5 flex flex-wrap gap-3">
        <CopyButton text={text} what="backup codes" size="md" />
        <Button
          variant="secondary"
          onClick={() => saveFile(`${publication.name.toLowerCase().replaceAll(' ', '-')}-backup-codes.txt`, text)}
        >
          <Download aria-hidden className="size-4" strokeWidth={1.75} />
          Download
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" strokeWidth={1.75} />
          Print
        </Button>
        <Button onClick={onDone}>I’ve saved them</Button>
      </div>
    </Panel>
  )
}
