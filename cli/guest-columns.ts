/** The prefix of a metadata column whose name would be read as another field: `metadata: Company`. */
export const GUEST_METADATA_PREFIX = 'metadata: '
