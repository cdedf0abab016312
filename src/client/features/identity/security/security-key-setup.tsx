import { ceremonyErrorMessage } from '#client/features/identity/passkeys/ceremony-error.ts'
import { toast } from '#client/lib/toast.ts'
import { Panel } from '#client/ui/panel.tsx'
import { NameForm } from './credential-name-form.tsx'
import { useAddSecurityKey } from './security.api.ts'

export function SecurityKeySetup({ suggestedName, onClose }: { suggestedName: string; onClose: () => void }) {
  const add = useAddSecurityKey()
  const handleName = (name: string) =>
    add.mutate(name, {
      onSuccess: () => {
        toast.success('Your security key is set up', { description: 'We’ll ask for it the next time you sign in.' })
        onClose()
      },
    })
  return (
    <Panel label="Add a security key">
      <NameForm
        title="Add a security key"
        hint="Helps you recognize it later. Next, your browser asks for the key."
        suggestion={suggestedName}
        action="Continue"
        pending={add.isPending}
        error={ceremonyErrorMessage(add.error)}
        onName={handleName}
        onClose={onClose}
      />
    </Panel>
  )
}
