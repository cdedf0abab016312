import { useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { ceremonyErrorMessage } from '#client/features/identity/passkeys/ceremony-error.ts'
import { canUsePasskeys } from '#client/features/identity/passkeys/passkey-support.ts'
import { passkeysQuery } from '#client/features/identity/passkeys/passkeys.api.ts'
import { useSensitiveMutation } from '#client/lib/changes.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { InlineLoadError, Skeleton } from '#client/ui/loading.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { deviceName } from '#shared/domain/device-name.ts'
import { formatDay } from '#shared/domain/format.ts'
import { NameForm } from './credential-name-form.tsx'
import { RequireConfirmedEmail } from './require-confirmed-email.tsx'
import { useRefreshSecurity } from './security.api.ts'
import { uniqueName } from './unique-factor-name.ts'

function useRemovePasskey() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (id: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.passkey.delete({ passkeyId: id })
      if (error) throw error
    },
    onSuccess: refresh,
    done: 'Passkey removed',
    failure: 'We couldn’t remove the passkey',
  })
}

function useRenamePasskey() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async ({ id, name }: { id: string; name: string }) => {
      const { auth } = await loadBackend()
      orThrow(await auth.passkey.update({ passkeyId: id, friendlyName: name }))
    },
    onSuccess: refresh,
    failure: 'We couldn’t change the name',
  })
}

/** Creates a passkey, then names it. If naming fails, the passkey stays. */
function useAddNamedPasskey() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (name: string) => {
      const { auth } = await loadBackend()
      const passkey = orThrow(await auth.registerPasskey())
      if (name) await auth.passkey.update({ passkeyId: passkey.id, friendlyName: name })
    },
    onSuccess: refresh,
  })
}

export type Passkey = { id: string; friendly_name?: string; created_at: string; last_used_at?: string }

const nameOf = (passkey: Passkey) => passkey.friendly_name || 'Passkey'

export function PasskeySection() {
  const { user } = useSession()
  const { data: passkeys, isError, refetch, isFetching } = useQuery(passkeysQuery(user?.id ?? ''))
  const [adding, setAdding] = useState(false)

  return (
    <Section
      title="Passkeys"
      status={passkeys ? (passkeys.length === 0 ? 'None' : `${passkeys.length} in use`) : undefined}
      lede="Sign in with your fingerprint, face, or PIN. Nothing to type, nothing to leak, and no second step."
    >
      {isError ? (
        <InlineLoadError retrying={isFetching} onRetry={refetch}>
          We couldn’t load your passkeys.
        </InlineLoadError>
      ) : !passkeys ? (
        <Skeleton className="h-11 w-36 max-w-full" />
      ) : (
        <>
          {passkeys.length > 0 && (
            <ItemList label="Passkeys">
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </ItemList>
          )}
          <div className={passkeys.length > 0 ? 'mt-5' : undefined}>
            <RequireConfirmedEmail>
              {adding ? (
                <AddPasskey passkeys={passkeys} onClose={() => setAdding(false)} />
              ) : canUsePasskeys() ? (
                <Button variant="secondary" onClick={() => setAdding(true)}>
                  Add a passkey
                </Button>
              ) : (
                <p className="text-muted">
                  This browser doesn’t support passkeys. Use another browser or device to add one.
                </p>
              )}
            </RequireConfirmedEmail>
          </div>
        </>
      )}
    </Section>
  )
}

function AddPasskey({ passkeys, onClose }: { passkeys: readonly Passkey[]; onClose: () => void }) {
  const add = useAddNamedPasskey()
  const handleName = (name: string) =>
    add.mutate(name, {
      onSuccess: () => {
        toast.success('Your passkey is ready', { id: 'passkey', description: 'Use it the next time you sign in.' })
        onClose()
      },
    })
  return (
    <Panel label="Add a passkey">
      <NameForm
        title="Add a passkey"
        hint="Helps you recognize it later. Next, your device asks for your fingerprint, face, or PIN."
        suggestion={uniqueName(deviceName(navigator.userAgent), passkeys)}
        action="Continue"
        pending={add.isPending}
        error={ceremonyErrorMessage(add.error)}
        onName={handleName}
        onClose={onClose}
      />
    </Panel>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const rename = useRenamePasskey()
  const remove = useRemovePasskey()
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const name = nameOf(passkey)
  const close = () => setOpen(null)
  return (
    <ItemRow
      icon={Fingerprint}
      title={name}
      facts={
        <>
          Added {formatDay(passkey.created_at)},{' '}
          {passkey.last_used_at ? (
            <>
              last used <Timestamp inline at={passkey.last_used_at} />
            </>
          ) : (
            'not used yet'
          )}
        </>
      }
      actions={
        <>
          <Button variant="quiet" size="sm" aria-label={`Rename: ${name}`} onClick={() => setOpen('rename')}>
            Rename
          </Button>
          <Button
            variant="quiet"
            size="sm"
            pending={remove.isPending}
            aria-label={`Remove: ${name}`}
            onClick={() => setOpen('remove')}
          >
            Remove
          </Button>
        </>
      }
    >
      {open === 'rename' && (
        <NameForm
          suggestion={name}
          action="Save name"
          pending={rename.isPending}
          onName={(wanted) => rename.mutate({ id: passkey.id, name: wanted }, { onSuccess: close })}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title={`Remove “${name}”?`}
          action="Remove"
          onConfirm={() => remove.mutate(passkey.id)}
          onClose={close}
        >
          You can’t sign in with it anymore. Your device may still offer it; remove it there as well.
        </ConfirmDialog>
      )}
    </ItemRow>
  )
}
