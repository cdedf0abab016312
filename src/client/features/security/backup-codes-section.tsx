import { Download, Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { saveFile } from '#client/lib/save-file.ts'
import { useSession } from '#client/lib/session.ts'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Section } from '#client/ui/section.tsx'
import { formatDay } from '#shared/domain/format.ts'
import { publication } from '#shared/publication.ts'
import { backupCodesText } from './backup-codes-text.ts'
import { useCreateBackupCodes } from './security.api.ts'

const few = 3

type BackupCodesSectionProps = { left: number; createdAt: string | null; hasSecondStep: boolean }

/** The way in for whoever has lost the second step. */
export function BackupCodesSection({ left, createdAt, hasSecondStep }: BackupCodesSectionProps) {
  const create = useCreateBackupCodes()
  const [asking, setAsking] = useState(false)
  // Here and nowhere else: the cache of queries would keep them longer than the page.
  const codes = create.data
  const handleCreate = () => (left > 0 ? setAsking(true) : create.mutate())

  return (
    <Section
      title="Backup codes"
      status={createdAt && left > 0 ? `${left} left, made ${formatDay(createdAt)}` : 'None'}
      lede={
        hasSecondStep
          ? 'Ten codes for the day when your phone or key is gone. Each works once in place of your second step.'
          : 'Once you have a second step, you can make codes for the day when it is lost.'
      }
    >
      {codes ? (
        <NewCodes codes={codes} onDone={create.reset} />
      ) : (
        hasSecondStep && (
          <>
            {left <= few && (
              <Banner
                title={left === 0 ? 'Make your backup codes now' : `Only ${left} ${left === 1 ? 'code' : 'codes'} left`}
                className="mb-5"
              >
                If your phone or key is lost, a backup code is the only way back in. It takes a minute.
              </Banner>
            )}
            <Button variant={left === 0 ? 'primary' : 'secondary'} pending={create.isPending} onClick={handleCreate}>
              {left === 0 ? 'Make backup codes' : 'Make new codes'}
            </Button>
          </>
        )
      )}
      {asking && (
        <ConfirmDialog
          title="Make new backup codes?"
          action="Make new codes"
          onConfirm={() => create.mutate()}
          onClose={() => setAsking(false)}
        >
          The {left} {left === 1 ? 'code' : 'codes'} that you have now stop working.
        </ConfirmDialog>
      )}
    </Section>
  )
}

function NewCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { user } = useSession()
  const title = useRef<HTMLHeadingElement>(null)
  const text = backupCodesText(codes, user?.email ?? '', new Date())
  // The button that made them is gone: the focus goes to what took its place.
  useEffect(() => title.current?.focus(), [])
  return (
    <Panel label="New backup codes">
      <div data-print-alone>
        <h4 ref={title} tabIndex={-1} className="display text-xl">
          Your new backup codes
        </h4>
        <p className="mt-1 text-muted print:hidden">
          They are shown this once. Keep them where you keep papers, not on the phone that you may lose.
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
        <Button onClick={onDone}>I have kept them</Button>
      </div>
    </Panel>
  )
}
