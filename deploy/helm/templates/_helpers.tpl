{{/* What processes are: their credentials, those that may be missing, what they reach of the Internet, and their queue. */}}
{{- define "gatehouse.processes" -}}
- { name: gateway, main: gateway/main.ts, credentials: [NATS_URL] }
- { name: guests, main: services/guests/main.ts, credentials: [NATS_URL, MONGODB_URL, REDIS_URL, SECRETS_KEY] }
- { name: checkin, main: services/checkin/main.ts, credentials: [NATS_URL, MONGODB_URL, REDIS_URL] }
- { name: promo, main: services/promo/main.ts, credentials: [NATS_URL, MONGODB_URL] }
- name: partners
  main: services/partners/main.ts
  credentials: [NATS_URL, MONGODB_URL, SECRETS_KEY, MAIL_EVENTS_POSTMARK_LOGIN, MAIL_EVENTS_DSN_SECRET]
  optional: [MAIL_EVENTS_POSTMARK_LOGIN, MAIL_EVENTS_DSN_SECRET]
  internet: "443"
- name: mail
  main: services/mail/main.ts
  credentials: [NATS_URL, REDIS_URL, SMTP_URL, DKIM_PRIVATE_KEY]
  optional: [REDIS_URL, SMTP_URL, DKIM_PRIVATE_KEY]
  background: true
  queue: { stream: mail, consumer: workers }
- { name: leads, main: services/leads/main.ts, credentials: [NATS_URL, MONGODB_URL, SECRETS_KEY] }
- name: badges
  main: services/badges/main.ts
  credentials: [NATS_URL, MONGODB_URL, SECRETS_KEY]
  internet: "443"
  background: true
  queue: { stream: badges, consumer: workers }
- name: hooks
  main: services/hooks/main.ts
  credentials: [NATS_URL, MONGODB_URL, SECRETS_KEY]
  internet: every port
  background: true
  queue: { stream: domain, consumer: hooks }
- name: sso
  main: services/sso/main.ts
  credentials: [NATS_URL, MONGODB_URL, SECRETS_KEY, SMTP_URL, DKIM_PRIVATE_KEY]
  optional: [SMTP_URL, DKIM_PRIVATE_KEY]
{{- end -}}

{{/* All that speak to stores: processes, the command, and backups. */}}
{{- define "gatehouse.clients" -}}
{{ include "gatehouse.processes" . }}
- { name: cli, credentials: [NATS_URL] }
- { name: backup, credentials: [MONGODB_URL] }
- { name: restore, credentials: [MONGODB_URL] }
{{- end -}}

{{/* The names of those with a credential, as a list. */}}
{{- define "gatehouse.having" -}}
{{- $names := list -}}
{{- $wanted := . -}}
{{- range fromYamlArray (include "gatehouse.clients" .) -}}
{{- if has $wanted .credentials }}{{ $names = append $names .name }}{{ end -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* The namespace of a store: that of this release if it is bundled. Takes a list of the root and the name of the store. */}}
{{- define "gatehouse.namespaceOf" -}}
{{- $root := index . 0 -}}
{{- ternary $root.Release.Namespace $root.Values.storesNamespace (index $root.Values (index . 1) "enabled" | default false) -}}
{{- end -}}

{{- define "gatehouse.labels" -}}
app.kubernetes.io/part-of: gatehouse
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
{{- end -}}

{{- define "gatehouse.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end -}}

{{/* What every pod has. Takes a dictionary of the root, the values of the process, and whether it is one of the jobs
that write backups. */}}
{{- define "gatehouse.pod" -}}
{{- $values := .root.Values -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- if not .writes }}
# A process that is asked to end answers what it has: this is longer than the longest DEADLINE_MS.
terminationGracePeriodSeconds: 60
{{- end }}
# The user of images without a shell, who owns nothing.
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  {{- if .writes }}
  # It writes to a volume.
  fsGroup: 65532
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- range $name, $default := dict "imagePullSecrets" $values.imagePullSecrets "affinity" $values.affinity "nodeSelector" (merge (dict) (.own.nodeSelector | default dict) $values.nodeSelector) }}
{{- if and $default (eq $name "imagePullSecrets") }}
imagePullSecrets:
  {{- range $default }}
  - name: {{ . }}
  {{- end }}
{{- else if $default }}
{{ $name }}: {{- toYaml $default | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "gatehouse.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* The metadata of a pod. Takes a dictionary of the root and the name of the process. */}}
{{- define "gatehouse.podMetadata" -}}
labels:
  app.kubernetes.io/name: {{ .name }}
  app.kubernetes.io/part-of: gatehouse
  {{- with .root.Values.podLabels }}{{ toYaml . | nindent 2 }}{{ end }}
annotations:
  # Processes restart when a setting changes.
  checksum/settings: {{ include "gatehouse.settings" .root | sha256sum }}
  {{- with .root.Values.podAnnotations }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end -}}

{{- define "gatehouse.settings" -}}
{{- toYaml (merge (dict) .Values.settings (dict "PUBLIC_URL" (printf "https://%s" .Values.host))) -}}
{{- end -}}

{{/* The Internet without private, shared and link-local addresses (the cloud's metadata), as peers of a policy. */}}
{{- define "gatehouse.internet" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
- ipBlock:
    cidr: ::/0
    except: ["::1/128", "fc00::/7", "fe80::/10"]
{{- end -}}

{{- define "gatehouse.backupVolumes" -}}
- name: scripts
  configMap: { name: backup-scripts }
- name: backups
  {{- if .Values.backup.s3.secretName }}
  emptyDir: {}
  {{- else }}
  persistentVolumeClaim: { claimName: backups }
  {{- end }}
- name: tmp
  emptyDir: { medium: Memory, sizeLimit: 16Mi }
{{ include "gatehouse.trustVolume" . }}
{{- end -}}

{{/* The authority that signs the certificates of the stores: Node trusts it beside those that it knows. */}}
{{- define "gatehouse.trustEnv" -}}
{{- if .Values.tls.storesCa -}}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/gatehouse/stores/ca.crt }
{{- end -}}
{{- end -}}

{{- define "gatehouse.trustMount" -}}
{{- if .Values.tls.storesCa -}}
- { name: stores-ca, mountPath: /etc/gatehouse/stores, readOnly: true }
{{- end -}}
{{- end -}}

{{- define "gatehouse.trustVolume" -}}
{{- with .Values.tls.storesCa -}}
- name: stores-ca
  secret: { secretName: {{ . }}, items: [{ key: ca.crt, path: ca.crt }] }
{{- end -}}
{{- end -}}

{{/* A container that speaks to the bucket. Takes a dictionary of the root, its name and its command. */}}
{{- define "gatehouse.rclone" -}}
- name: {{ .name }}
  image: {{ .root.Values.backup.s3.image }}
  command: {{ toJson .command }}
  envFrom: [{ secretRef: { name: {{ .root.Values.backup.s3.secretName }} } }]
  env:
    # Otherwise it makes the bucket, under a misspelled name too, and needs the right to.
    - { name: RCLONE_S3_NO_CHECK_BUCKET, value: "true" }
  resources:
    requests: { cpu: 10m, memory: 128Mi }
    limits: { memory: 256Mi }
  securityContext: {{- include "gatehouse.containerSecurity" . | nindent 4 }}
  volumeMounts:
    - { name: backups, mountPath: /backups }
    - { name: tmp, mountPath: /tmp }
{{- end -}}
