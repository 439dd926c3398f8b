# docker build -t urlwise . && docker run --rm -v "$PWD:/src:ro" urlwise check --open .
FROM rust:1.95-slim AS build
WORKDIR /build
COPY . .
RUN cargo build --release --locked -p urlwise-cli

FROM debian:stable-slim
# Roots of trust for https, ftps and mail.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /build/target/release/urlwise /usr/local/bin/urlwise
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["urlwise"]
