type Loaded = () => Promise<{ default: string }>

const FOLDER = '../../../../docs/guides/organizers/'
const files = import.meta.glob<{ default: string }>('../../../../docs/guides/organizers/*.md')

/** What loads each guide, by its name: the HTML that the build makes of it (apps/guides.ts). */
export const guides: Readonly<Record<string, Loaded>> = Object.fromEntries(
  Object.entries(files).map(([path, load]) => [path.slice(FOLDER.length, -'.md'.length), load]),
)
