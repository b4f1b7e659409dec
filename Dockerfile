# One image for all processes. Its argument says which one runs:
#   docker build --tag gatehouse --build-arg REVISION=$(git rev-parse HEAD) .
#   docker run --read-only --env-file guests.env gatehouse services/guests/main.ts
# `npm run check:images` builds and runs it.

# By digest, so that the same sources make the same image. For newer ones, or those of a registry of your own, give the arguments others.
ARG NODE_BASE=node:26-trixie-slim@sha256:930557a230abacbc3f4fd9b8648abf8f4bee1e17cb72195dcdfb2f709bc85b33
ARG BASE=gcr.io/distroless/base-nossl-debian13:nonroot@sha256:8c563c1fb5e120606f0d85733049775faed6192e2bd2223ef283a5393eec22b9

FROM ${NODE_BASE} AS installed
WORKDIR /gatehouse
COPY . .
# Without what only developers read (deploy/prune.js).
RUN npm ci --omit=dev
# The apps for people, and then what built them goes, as does what the local stack needs.
RUN node apps/main.ts && rm -r docs/guides && npm pkg delete devDependencies --workspaces --include-workspace-root && npm uninstall --omit=dev --workspace apps --workspace apps/console --workspace apps/shared --workspace deploy/local/mongod vite @noble/hashes zxing-wasm pg
RUN npm sbom --sbom-format=cyclonedx > sbom.cdx.json
# Fonts of Chinese, Japanese and Korean are a fifth smaller, and are unpacked when a badge needs them.
RUN node deploy/pack-fonts.js
# Node is one of the packages, so that it is the same everywhere. It needs libraries that the image below lacks.
RUN mv node_modules/node/bin/node . && rm -r node_modules/node node_modules/.bin && mkdir lib && for name in libatomic.so.1 libgcc_s.so.1 libstdc++.so.6; do cp -L /usr/lib/*-linux-gnu/$name lib/; done

# The C library and certificates, without a shell.
FROM ${BASE}
WORKDIR /gatehouse
COPY --from=installed /gatehouse/lib /usr/lib
COPY --from=installed /gatehouse/node /usr/local/bin/
COPY --from=installed /gatehouse/node_modules node_modules
COPY --from=installed /gatehouse/sbom.cdx.json ./
COPY package.json ./
# The runbooks to which alerts lead, and the pages to which these do.
COPY --from=installed /gatehouse/docs docs
# With the dependencies that npm puts into a workspace's folder.
COPY --from=installed /gatehouse/proto proto
COPY --from=installed /gatehouse/gateway gateway
COPY --from=installed /gatehouse/services services
COPY --from=installed /gatehouse/cli cli
COPY --from=installed /gatehouse/clients clients
COPY --from=installed /gatehouse/apps/scanner/dist apps/scanner/dist
COPY --from=installed /gatehouse/apps/leads/dist apps/leads/dist
COPY --from=installed /gatehouse/apps/print/dist apps/print/dist
COPY --from=installed /gatehouse/apps/console/dist apps/console/dist
COPY --from=installed /gatehouse/apps/built.ts apps/
COPY --from=installed /gatehouse/apps/package.json apps/
USER 65532:65532
# Outside a container processes listen on loopback.
ENV HOST=0.0.0.0
# The threshold and the flags are those of deploy/local/program.ts, which says why.
ENV MALLOC_MMAP_THRESHOLD_=1048576
ENTRYPOINT ["node", "--max-semi-space-size=8", "--no-allocation-site-pretenuring", "--v8-pool-size=1"]
CMD ["gateway/main.ts"]
ARG VERSION=1.0.0-rc.1
ARG REVISION=unknown
ARG BASE
LABEL org.opencontainers.image.title="Gatehouse" org.opencontainers.image.description="The guest side of large events" org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${REVISION}" org.opencontainers.image.base.name="${BASE}"
