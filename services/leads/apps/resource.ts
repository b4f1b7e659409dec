import { datetime, identifier, list, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

const app = record({ _id: identifier(), name: text(), created_at: datetime() })

/** Apps that may activate licences, in every account. They are registered from the command line. */
export const apps = resource('leads.apps', 'app', {
  register: {
    summary:
      'Registers an app and gives its signing secret, this once. A second app with the same name has a secret of its own',
    body: record({ name: text() }),
    reply: record({ ...app.properties, signing_secret: text() }),
  },
  list: { summary: 'The registered apps, oldest first', reads: true, body: record({}), reply: list(app, 'app') },
  revoke: { summary: 'Takes an app off the register, at once', body: record({ app_id: identifier() }), reply: app },
})
