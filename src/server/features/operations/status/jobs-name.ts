/** Queues in words, in the order of the status page. All others are upkeep. */
const names: Record<string, string> = {
  'send-email': 'account email',
  'send-mail': 'account email',
  'send-sms': 'text messages',
  'deliver-webhooks': 'outgoing webhooks',
  backup: 'backups',
}

export const jobsName = (queue: string): string => names[queue] ?? 'upkeep'
